"""Models whose names are meant to break whatever they are written into."""

from __future__ import annotations

from fsm.model import Event, Fact, Model, State, Term, Transition

HOSTILE = (
    '<script>alert("x")</script>',
    "</title>&amp;<!-- -->]]>",
    "quo\"te's\\",
    "end",
    "a\nnew\r\nline; end\nstyle x fill:#f00; %%{init: {}}%% %% no comment",
    "```\n`tick` **bold** __line__ ~~gone~~ //it// [[link]] $$x$$ fa:fa-car",
    "[a](b) {c} ((d)) |e| --> f ==> g -.-> h; i --- j",
    "@enduml\n@startuml",
    "!include x\n%date() %newline() $var <&heart> <img:x> <b>b</b>",
    "\u202eright to left \u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627",
    "1. list - item",
    "- item",
    "# heading #quot; #35; &lt; &#60; ﬂ°°60¶ß ﬂ°lt¶ß",
    "__proto__",
    "constructor",
    "=1+1 ${x} #{y} \x00\x07\u2028 z",
    "---\ntitle: y\n---",
    "'/' comment '",
    "<U+0041> ~~ \\n \\t",
    "𝔘𝔫𝔦 🐉 é 漢字",
)


def hostile(window: bool = False) -> Model:
    """A machine in a circle, each state, event and fact under a hostile name; in steps of phases,
    or in none.
    """
    words = HOSTILE
    phases = [State(f"phase {w}", "phase", label=w, rule=w) for w in words[:3]]
    steps = [
        State(f"step {w}", "step", label=w, parent=phases[i % 3].id) for i, w in enumerate(words)
    ]
    states = [
        State(
            w,
            "action",
            label=w,
            doc=w,
            rule=w,
            parent=steps[i].id,
            asks="perform",
            action="act",
            tells=(w,),
        )
        for i, w in enumerate(words)
    ]
    events = (Event("done", completion=True), *(Event(w, w) for w in words))
    facts = tuple(Fact(w, w, w) for w in words)
    onward = list(zip(words, (*words[1:], words[0]), strict=True))
    rows = [Transition(a, b, guard=(Term(a),), rule=a, doc=b, layer="skip") for a, b in onward]
    rows += [Transition(b, a, guard=(Term(b, False),), rule=a, layer="extra") for a, b in onward]
    rows += [Transition(f"phase {w}", words[4], w, rule=w, layer="jump") for w in words[:3]]
    return Model(
        words[0],
        words[0],
        (*phases, *steps, *states),
        tuple(rows),
        events,
        facts,
        words[0],
        words[1],
    )
