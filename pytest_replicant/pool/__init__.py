"""From a device URI to a running device: virtual phones, attached phones, leases."""
