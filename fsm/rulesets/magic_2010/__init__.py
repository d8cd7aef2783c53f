"""Magic around 2010."""
