"""What an action came to beside the screen: the log, deaths of the app, traces of an effect."""
