"""What a game's turn remembers, as one value, and the orders that change it."""
