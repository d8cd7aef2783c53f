"""A Model for other people's interpreters: SCXML and XState, and recorded runs to feed to them.

    from fsm.views.export.scxml import scxml
    text = scxml(model, Asked())

Agenda and controller stay at home, so an export cannot tell whether a fact holds: it is told, with every event.
"""
