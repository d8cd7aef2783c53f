"""The table language: rows of a table, and how each is expanded into the same few states."""
