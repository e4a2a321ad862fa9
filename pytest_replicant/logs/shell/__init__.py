"""What well-known commands of the device shell print, as values, and hints where one failed."""
