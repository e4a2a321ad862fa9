"""The trace in Allure's results."""
