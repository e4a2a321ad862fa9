"""Text: as it is compared, without what ticks in it, and whether it will be the same tomorrow."""
