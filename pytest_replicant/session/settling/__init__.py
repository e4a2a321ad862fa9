"""Reading the screen, until reads agree or show what was waited for."""
