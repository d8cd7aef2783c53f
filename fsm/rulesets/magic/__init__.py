"""Magic, the current edition."""
