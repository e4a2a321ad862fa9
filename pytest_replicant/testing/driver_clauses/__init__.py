"""The clauses of the drivers' contract, a file for each group of them."""
