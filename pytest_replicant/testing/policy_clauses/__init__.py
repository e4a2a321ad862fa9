"""The clauses of the recovery policies' contract, a file for each group of them."""
