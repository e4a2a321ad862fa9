"""Identity: refs, screen keys, and the location of an earlier element on a later screen."""
