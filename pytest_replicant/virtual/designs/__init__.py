"""How a phone looks and what its system does by itself, by platform: Material for Android,
Cupertino for iOS."""
