"""iPhones through WebDriverAgent, by facebook-wda."""
