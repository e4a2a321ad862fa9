"""A suite that is recorded and replayed by ``test_replayed_suite``: its files are copied under
names that pytest collects."""
