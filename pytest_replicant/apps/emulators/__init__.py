"""Android virtual devices: found, booted through a gate of conditions, and ended."""
