"""The instruments that record games during a collection of coverage."""
