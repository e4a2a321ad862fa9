"""The predicates behind ``expect_*``: each is a function from what is wanted to a ``Claim``."""
