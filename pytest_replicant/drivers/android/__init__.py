"""The Android driver, over unmodified adbutils and uiautomator2; imported only once a phone is
used."""
