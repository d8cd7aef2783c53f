"""Grand Archive, 2026 and 2024."""
