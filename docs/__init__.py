"""The documents, and ``generating``, which makes some of them."""
