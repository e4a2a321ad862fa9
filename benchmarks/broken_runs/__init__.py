"""Apps with a fault, and tests that were right before it: runs whose causes are known."""
