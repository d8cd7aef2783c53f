"""What this package costs, against hand-written code and other state machine libraries."""
