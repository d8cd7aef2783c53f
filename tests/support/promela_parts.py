"""The parts of a Promela model that are the same for every Model: the agenda, and its primitives in
C.
"""

DECLARATIONS = """
typedef Back { byte state; byte cursor; byte what; byte only; byte extra };
typedef Extra { byte level; byte what; byte only; byte after; byte before };
typedef Skipped { byte level; byte what; byte side };
typedef Begun { byte id; byte name; byte fam; byte only; byte extra; byte on; byte cursor };
typedef Coming { byte what; byte only; byte extra };
byte st, fr, holder, passed, stack, mach, word, signal;
byte ok, quiet, stays, was_signal, stuck, over;
short ev; byte ev_step, ev_phase, ev_stage, ev_extra, was_step, was_phase, room_for[6];
byte turn, acting, natural = 255, cand_turn, cand_turn_extra, turn_extra, turn_on;
byte taken[PLAYERS], own[PLAYERS];
Begun ph, sp, wait_ph, wait_sp;
Coming ph_cand, sp_cand;
Extra extras[EXTRAS]; byte n_extras;
Skipped skips[SKIPS]; byte n_skips;
byte turns[EXTRA_TURNS]; byte n_turns;
Back ph_back[RETURNS]; byte ph_n;
Back sp_back[RETURNS]; byte sp_n;
"""

_LEVEL = """
static void pass_over_@(void) { memset(&now.@_cand, 0, sizeof(now.@_cand)); now.@.cursor = 0; }
static void push_@(int state) {
  struct Back *b = &now.@_back[now.@_n++];
  b->state = state; b->cursor = now.@.cursor;
  b->what = now.@_cand.what; b->only = now.@_cand.only; b->extra = now.@_cand.extra;
}
static void pop_@(void) {
  struct Back *b = &now.@_back[--now.@_n];
  now.@.cursor = b->cursor;
  now.@_cand.what = b->what; now.@_cand.only = b->only; now.@_cand.extra = b->extra;
  memset(b, 0, sizeof(*b));
}
static void clear_@(void) { now.@_n = 0; memset(now.@_back, 0, sizeof(now.@_back)); }
static void take_@(int level) {
  int i = 0;
  while (now.extras[i].level != level || now.extras[i].after != now.@.cursor) i++;
  now.@_cand.what = now.extras[i].what; now.@_cand.only = now.extras[i].only; now.@_cand.extra = 1;
  remove_extra(i);
}
static int returns_to_@(int state) { return now.@_n > 0 && now.@_back[now.@_n - 1].state == state; }
static void begin_@(int name, int fam) {
  int cursor = new_id();
  now.@.id = now.@.cursor = cursor; now.@.name = name; now.@.fam = fam;
  now.@.only = now.@_cand.only; now.@.extra = now.@_cand.extra; now.@.on = 1;
  memset(&now.@_cand, 0, sizeof(now.@_cand));
}
"""

PRIMITIVES = (
    """
c_code {
/* an id that nothing refers to */
static int refers(struct Begun *b, int id) { return b->id == id || b->cursor == id; }
static int new_id(void) {
  int id = 0, i, used = 1;
  while (used) {
    id++;
    used = refers(&now.ph, id) || refers(&now.sp, id) || refers(&now.wait_ph, id) || refers(&now.wait_sp, id);
    for (i = 0; i < now.n_extras; i++) used |= now.extras[i].after == id;
    for (i = 0; i < now.ph_n; i++) used |= now.ph_back[i].cursor == id;
    for (i = 0; i < now.sp_n; i++) used |= now.sp_back[i].cursor == id;
  }
  return id;
}
static void remove_extra(int i) {
  for (now.n_extras--; i < now.n_extras; i++) now.extras[i] = now.extras[i + 1];
  memset(&now.extras[i], 0, sizeof(now.extras[i]));
}
"""
    + _LEVEL.replace("@", "ph")
    + _LEVEL.replace("@", "sp")
    + """
static void add_extra(int level, int what, int only, int after, int before) {
  int i;
  for (i = now.n_extras++; i > 0; i--) now.extras[i] = now.extras[i - 1];
  now.extras[0].level = level; now.extras[0].what = what; now.extras[0].only = only;
  now.extras[0].after = after; now.extras[0].before = before;
}
static void add_skip(int level, int what, int side) {
  int i = now.n_skips++;
  now.skips[i].level = level; now.skips[i].what = what; now.skips[i].side = side;
}
static void add_turn(int side) {
  int i;
  for (i = now.n_turns++; i > 0; i--) now.turns[i] = now.turns[i - 1];
  now.turns[0] = side;
}
static int find_skip(int level, int what) {
  int i, side = level == 1 ? now.cand_turn : now.acting;
  for (i = 0; i < now.n_skips; i++)
    if (now.skips[i].level == level && now.skips[i].what == what && now.skips[i].side == side) return i;
  return -1;
}
static int skip_due(int level, int what) { return find_skip(level, what) >= 0; }
static void consume_skip(int level, int what) {
  int i = find_skip(level, what);
  if (i < 0) return;
  for (now.n_skips--; i < now.n_skips; i++) now.skips[i] = now.skips[i + 1];
  memset(&now.skips[i], 0, sizeof(now.skips[i]));
}
static int extra_due(int level, int cursor) {
  int i;
  for (i = 0; i < now.n_extras; i++)
    if (cursor && now.extras[i].level == level && now.extras[i].after == cursor) return 1;
  return 0;
}
static int extra_before(int step) {
  int i;
  for (i = 0; i < now.n_extras; i++) if (now.extras[i].before == step) return 1;
  return 0;
}
static void take_before(int step) {
  int i = 0;
  while (now.extras[i].before != step) i++;
  now.sp_cand.what = now.extras[i].what; now.sp_cand.only = now.extras[i].only; now.sp_cand.extra = 1;
  remove_extra(i);
}
static void begin_step(int name, int fam) {
  if (now.sp_n) now.sp_cand.extra = 1;  /* a step that begins again, while steps are interrupted */
  begin_sp(name, fam);
}
static void begin_phase(int name, int fam) { begin_ph(name, fam); memset(&now.sp, 0, sizeof(now.sp)); }
static void drop_phase(void) { clear_sp(); pass_over_sp(); }
static void drop_turn(void) {
  drop_phase(); clear_ph(); pass_over_ph();
  if (now.ph.id && now.ph.on) now.ph.cursor = now.ph.id;
  memset(&now.wait_ph, 0, sizeof(now.wait_ph)); memset(&now.wait_sp, 0, sizeof(now.wait_sp));
  now.n_extras = 0; memset(now.extras, 0, sizeof(now.extras));
}
static void suspend(void) { now.wait_ph = now.ph; now.wait_sp = now.sp; }
static void resume(void) {
  now.ph = now.wait_ph; now.sp = now.wait_sp;
  memset(&now.wait_ph, 0, sizeof(now.wait_ph)); memset(&now.wait_sp, 0, sizeof(now.wait_sp));
}
static void next_player(void) {
  now.natural = now.natural == 255 ? 0 : (now.natural + 1) % PLAYERS;
  now.cand_turn = now.natural; now.cand_turn_extra = 0;
}
static void take_turn(void) {
  int i;
  now.cand_turn = now.turns[0]; now.cand_turn_extra = 1; now.n_turns--;
  for (i = 0; i < now.n_turns; i++) now.turns[i] = now.turns[i + 1];
  now.turns[i] = 0;
}
static void begin_turn(void) {
  now.turn++; now.acting = now.cand_turn; now.taken[now.acting]++; now.turn_extra = now.cand_turn_extra;
  now.turn_on = 1; if (!now.cand_turn_extra) now.own[now.acting]++;
}
static void turn_ends(void) {
  memset(&now.ph, 0, sizeof(now.ph)); memset(&now.sp, 0, sizeof(now.sp)); now.turn_on = 0; drop_turn();
}
static void priority_to_active(void) { now.holder = now.acting; now.passed = 0; }
static void priority_to_next(void) { now.holder = (now.holder + 1) % PLAYERS; }
static void note_pass(void) { now.passed |= 1 << now.holder; }
static void note_action(void) { now.passed = 0; }
static void was(void) {
  now.was_step = now.sp.id && now.sp.on ? now.sp.name : 0;
  now.was_phase = now.ph.id && now.ph.on ? now.ph.name : 0;
}
static void seen(int what) {
  now.ev = what; now.ev_step = now.was_step; now.ev_phase = now.was_phase; now.ev_stage = now.st;
  now.ev_extra = (now.sp.id && now.sp.extra) || (now.ph.id && now.ph.extra);
}
static void nothing_seen(void) {
  now.ev = 0; now.ev_step = now.ev_phase = now.ev_stage = now.ev_extra = now.was_step = now.was_phase = 0;
  memset(now.room_for, 0, sizeof(now.room_for));
  now.ok = now.mach = now.word = now.stays = now.was_signal = 0;
}
static int pending(int kind) {
  int i, n = 0;
  if (kind == 0) return now.n_turns;
  if (kind == 2 || kind == 3) {
    for (i = 0; i < now.n_extras; i++) n += now.extras[i].level == kind;
    return n + (kind == 2 ? now.ph_n : now.sp_n);
  }
  for (i = 0; i < now.n_skips; i++) n += now.skips[i].level == (kind == 1 ? 1 : kind - 2);
  return n;
}
static void look_for_room(int most, int together) {
  int i, all = 0;
  for (i = 0; i < 6; i++) all += pending(i);
  for (i = 0; i < 6; i++) now.room_for[i] = pending(i) < most && all < together;
}
}
"""
)
