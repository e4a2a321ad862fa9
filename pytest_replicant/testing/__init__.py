"""For people who extend the package: checks that they can run on their own drivers and policies."""
