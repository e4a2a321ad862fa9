"""The actions of a test on an app and its phone, one file a kind; each returns an
``Expectation``."""
