"""How a game is played: requests and answers, the machine that fires transitions, the controller, its records."""
