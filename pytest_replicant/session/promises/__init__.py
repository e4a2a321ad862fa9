"""What an action answers for itself, beyond having been sent."""
