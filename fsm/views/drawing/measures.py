"""Measures in points that several pictures share: sizes of type, widths of texts, sizes of shapes,
distances.
"""

from __future__ import annotations

# Sizes of type.
HEADLINE = 16.0
CARD_NAME = 11.0
BOX_NAME = 10.5
ORIGIN = 9.0  # where a jump starts, in bold
LABEL = 8.5  # labels of lines, and the muted lines of cards
CITATION = 8.0  # citations, and the notes of boxes
LEGEND = 9.0  # of legends and captions

LEADING = {CARD_NAME: 13.2, BOX_NAME: 12.6, ORIGIN: 11.0, LABEL: 10.2, CITATION: 9.4}
"""How far the lines of a text are apart, by the size of type."""

# How wide a text may be before it is broken or cut off.
LABEL_WIDTH = 84.0
SLIM_LABEL_WIDTH = 53.0
BOX_NAME_WIDTH = 150.0

PAGE_WIDTH = 776.0  # no picture should be wider
NARROWEST = 360.0  # a picture with its margins

# Shapes.
CHOICE_SIZE, LOOKUP_SIZE, START_SIZE, FINAL_SIZE = 16.0, 13.0, 11.0, 17.0
CARD_HEIGHT = 34.0  # of a card without lines under its name
MARK_WIDTH = 12.0  # of the dot before a name

# Distances.
MARGIN = 16.0  # around a picture
LEGEND_DROP = 3.2  # from the middle of a sign to the foot of its words
CARD_CLEARANCE = 1.5  # no text stands nearer to a card
DISC_GAP = 4.0  # between a disc and its words
BOX_NAME_LEFT, BOX_NAME_TOP = 14.0, 6.0  # from the corner of a box to its name
