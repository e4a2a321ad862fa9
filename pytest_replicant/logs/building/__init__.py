"""What a build printed, read into its errors."""
