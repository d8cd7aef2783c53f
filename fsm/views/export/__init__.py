"""Exports a Model for other interpreters, as SCXML and XState.

    from fsm.views.export.scxml import scxml
    text = scxml(model, Asked())

An export has no agenda and no controller. So every event carries the facts that are read.
"""
