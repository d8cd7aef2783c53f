-- A game is one row. Its version is the number of its answers, and the lock: who writes names the version that was read.
CREATE TABLE IF NOT EXISTS games (
    id text PRIMARY KEY,
    version integer NOT NULL DEFAULT 0,
    edition integer NOT NULL,
    saved text NOT NULL
);

-- What was answered, and by whom. The primary key says once more that a version is answered once.
CREATE TABLE IF NOT EXISTS answers (
    game text NOT NULL REFERENCES games,
    version integer NOT NULL,
    key text NOT NULL,
    answer jsonb NOT NULL,
    PRIMARY KEY (game, version)
);

-- Answers that no worker has taken yet. The sender chooses the key, and sends the same one again if in doubt.
CREATE TABLE IF NOT EXISTS inbox (
    key text PRIMARY KEY,
    game text NOT NULL REFERENCES games,
    version integer NOT NULL,
    answer jsonb NOT NULL
);
CREATE INDEX IF NOT EXISTS inbox_by_game ON inbox (game, version);

-- Why an answer was refused.
CREATE TABLE IF NOT EXISTS refusals (
    key text PRIMARY KEY,
    reason text NOT NULL
);
