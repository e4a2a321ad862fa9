"""Deaths of apps, read from the device log and from crash reports."""
