"""What watches games while coverage is collected."""
