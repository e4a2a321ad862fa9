"""One phone, one user: leases, and the queue for them, across the processes of this computer."""
