"""``--replicant-accessibility=report``: what rules of accessibility say of each screen that a run visits."""
