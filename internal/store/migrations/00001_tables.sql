-- Append-only tables. Ids are dense and given by the program, so that a
-- missing row is noticed. A NULL in a statement table states nothing: what is
-- current is, field by field, the latest statement that is not NULL.

-- +goose Up
CREATE TABLE meta (
  id      INTEGER PRIMARY KEY,
  study   TEXT NOT NULL,
  digest  TEXT NOT NULL,
  created TEXT NOT NULL -- RFC 3339
) STRICT;

CREATE TABLE names ( -- models, conditions, tasks, attacks, families, splits, tiers, outcomes, scales, graders
  id   INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
) STRICT;
INSERT INTO names (id, name) VALUES (0, '');

CREATE TABLE imports (
  id        INTEGER PRIMARY KEY,
  file      TEXT NOT NULL,
  sha256    TEXT NOT NULL,
  format    TEXT NOT NULL,
  at        TEXT NOT NULL, -- RFC 3339, by the caller's clock
  supersede INTEGER NOT NULL
) STRICT;

CREATE TABLE import_counts ( -- written when the import ends
  import        INTEGER PRIMARY KEY REFERENCES imports (id),
  rows_read     INTEGER NOT NULL,
  responses     INTEGER NOT NULL,
  labels        INTEGER NOT NULL,
  marks         INTEGER NOT NULL,
  filled        INTEGER NOT NULL,
  superseded    INTEGER NOT NULL,
  unchanged     INTEGER NOT NULL
) STRICT;

CREATE TABLE arms ( -- a model under a condition
  id        INTEGER PRIMARY KEY,
  model     INTEGER NOT NULL REFERENCES names (id),
  condition INTEGER NOT NULL REFERENCES names (id),
  UNIQUE (model, condition)
) STRICT;

CREATE TABLE measures ( -- a scale as one grader applies it
  id     INTEGER PRIMARY KEY,
  scale  INTEGER NOT NULL REFERENCES names (id),
  grader INTEGER NOT NULL REFERENCES names (id),
  UNIQUE (scale, grader)
) STRICT;

CREATE TABLE items (
  id     INTEGER PRIMARY KEY,
  task   INTEGER NOT NULL REFERENCES names (id),
  attack INTEGER NOT NULL REFERENCES names (id),
  UNIQUE (task, attack)
) STRICT;

CREATE TABLE item_details ( -- statements
  id     INTEGER PRIMARY KEY,
  item   INTEGER NOT NULL REFERENCES items (id),
  family INTEGER REFERENCES names (id),
  split  INTEGER REFERENCES names (id),
  tier   INTEGER REFERENCES names (id), -- effective
  turns  TEXT,                          -- JSON list of strings
  origin INTEGER REFERENCES imports (id)
) STRICT;

CREATE TABLE responses (
  id        INTEGER PRIMARY KEY,
  arm       INTEGER NOT NULL REFERENCES arms (id),
  item      INTEGER NOT NULL REFERENCES items (id),
  replicate INTEGER NOT NULL,
  outcome   INTEGER NOT NULL, -- a name, as it was stated first
  simulated INTEGER NOT NULL,
  origin    INTEGER           -- an import; NULL for a run
) STRICT;
CREATE UNIQUE INDEX cells ON responses (arm, item, replicate);

CREATE TABLE response_details ( -- statements
  id        INTEGER PRIMARY KEY,
  response  INTEGER NOT NULL REFERENCES responses (id),
  outcome   INTEGER REFERENCES names (id),
  simulated INTEGER,
  decision  TEXT, -- JSON
  call      TEXT, -- digest
  detail    TEXT, -- why, when the outcome is error
  origin    INTEGER REFERENCES imports (id)
) STRICT;
CREATE INDEX response_details_of ON response_details (response);

CREATE TABLE texts ( -- statements, apart from the responses so that scans without text stay cheap
  id             INTEGER PRIMARY KEY,
  response       INTEGER NOT NULL REFERENCES responses (id),
  text_sum       INTEGER, -- the first 8 bytes of a SHA-256; 0 for the empty text
  draft_sum      INTEGER,
  transcript_sum INTEGER,
  text           TEXT,
  draft          TEXT,
  transcript     TEXT, -- JSON list of {role, text}
  origin         INTEGER REFERENCES imports (id)
) STRICT;
CREATE UNIQUE INDEX texts_of ON texts (response, id, text_sum, draft_sum, transcript_sum);

CREATE TABLE labels ( -- the current value is that of the highest revision
  response INTEGER NOT NULL REFERENCES responses (id),
  measure  INTEGER NOT NULL,
  revision INTEGER NOT NULL, -- from 1, without gaps
  value    REAL NOT NULL,
  origin   INTEGER,
  PRIMARY KEY (response, measure, revision)
) STRICT, WITHOUT ROWID;

CREATE TABLE calls (
  digest     TEXT NOT NULL,
  revision   INTEGER NOT NULL, -- above 1 only after an error or a release
  attempts   INTEGER NOT NULL,
  text       TEXT NOT NULL,
  stop       TEXT NOT NULL,
  tokens_in  INTEGER NOT NULL,
  tokens_out INTEGER NOT NULL,
  raw_hash   TEXT NOT NULL,
  error      TEXT NOT NULL,
  UNIQUE (digest, revision)
) STRICT;

CREATE TABLE rating_rows (
  id   INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE row_responses ( -- of one item, and with one text: the row shows them all
  rating_row INTEGER NOT NULL REFERENCES rating_rows (id),
  response   INTEGER NOT NULL REFERENCES responses (id),
  PRIMARY KEY (rating_row, response)
) STRICT, WITHOUT ROWID;

CREATE TABLE ratings ( -- the current mark on a scale is that of the latest rating which has one
  id         INTEGER PRIMARY KEY,
  rating_row INTEGER NOT NULL REFERENCES rating_rows (id),
  rater      INTEGER NOT NULL REFERENCES names (id),
  revision   INTEGER NOT NULL,
  at         TEXT NOT NULL, -- RFC 3339
  note       TEXT NOT NULL,
  UNIQUE (rating_row, rater, revision)
) STRICT;

CREATE TABLE marks (
  rating INTEGER NOT NULL REFERENCES ratings (id),
  scale  INTEGER NOT NULL REFERENCES names (id),
  value  REAL, -- NULL: does not apply
  PRIMARY KEY (rating, scale)
) STRICT, WITHOUT ROWID;

CREATE TABLE freezes (
  id         INTEGER PRIMARY KEY,
  rating_row INTEGER NOT NULL REFERENCES rating_rows (id) -- rows up to this one are closed
) STRICT;

-- Nothing kept is ever changed or removed.
-- +goose StatementBegin
CREATE TRIGGER meta_no_update BEFORE UPDATE ON meta BEGIN SELECT RAISE (ABORT, 'meta is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER meta_no_delete BEFORE DELETE ON meta BEGIN SELECT RAISE (ABORT, 'meta is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER names_no_update BEFORE UPDATE ON names BEGIN SELECT RAISE (ABORT, 'names is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER names_no_delete BEFORE DELETE ON names BEGIN SELECT RAISE (ABORT, 'names is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER imports_no_update BEFORE UPDATE ON imports BEGIN SELECT RAISE (ABORT, 'imports is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER imports_no_delete BEFORE DELETE ON imports BEGIN SELECT RAISE (ABORT, 'imports is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER import_counts_no_update BEFORE UPDATE ON import_counts BEGIN SELECT RAISE (ABORT, 'import_counts is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER import_counts_no_delete BEFORE DELETE ON import_counts BEGIN SELECT RAISE (ABORT, 'import_counts is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER arms_no_update BEFORE UPDATE ON arms BEGIN SELECT RAISE (ABORT, 'arms is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER arms_no_delete BEFORE DELETE ON arms BEGIN SELECT RAISE (ABORT, 'arms is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER measures_no_update BEFORE UPDATE ON measures BEGIN SELECT RAISE (ABORT, 'measures is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER measures_no_delete BEFORE DELETE ON measures BEGIN SELECT RAISE (ABORT, 'measures is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER items_no_update BEFORE UPDATE ON items BEGIN SELECT RAISE (ABORT, 'items is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER items_no_delete BEFORE DELETE ON items BEGIN SELECT RAISE (ABORT, 'items is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER item_details_no_update BEFORE UPDATE ON item_details BEGIN SELECT RAISE (ABORT, 'item_details is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER item_details_no_delete BEFORE DELETE ON item_details BEGIN SELECT RAISE (ABORT, 'item_details is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER responses_no_update BEFORE UPDATE ON responses BEGIN SELECT RAISE (ABORT, 'responses is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER responses_no_delete BEFORE DELETE ON responses BEGIN SELECT RAISE (ABORT, 'responses is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER response_details_no_update BEFORE UPDATE ON response_details BEGIN SELECT RAISE (ABORT, 'response_details is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER response_details_no_delete BEFORE DELETE ON response_details BEGIN SELECT RAISE (ABORT, 'response_details is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER texts_no_update BEFORE UPDATE ON texts BEGIN SELECT RAISE (ABORT, 'texts is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER texts_no_delete BEFORE DELETE ON texts BEGIN SELECT RAISE (ABORT, 'texts is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER labels_no_update BEFORE UPDATE ON labels BEGIN SELECT RAISE (ABORT, 'labels is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER labels_no_delete BEFORE DELETE ON labels BEGIN SELECT RAISE (ABORT, 'labels is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER calls_no_update BEFORE UPDATE ON calls BEGIN SELECT RAISE (ABORT, 'calls is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER calls_no_delete BEFORE DELETE ON calls BEGIN SELECT RAISE (ABORT, 'calls is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER rating_rows_no_update BEFORE UPDATE ON rating_rows BEGIN SELECT RAISE (ABORT, 'rating_rows is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER rating_rows_no_delete BEFORE DELETE ON rating_rows BEGIN SELECT RAISE (ABORT, 'rating_rows is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER row_responses_no_update BEFORE UPDATE ON row_responses BEGIN SELECT RAISE (ABORT, 'row_responses is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER row_responses_no_delete BEFORE DELETE ON row_responses BEGIN SELECT RAISE (ABORT, 'row_responses is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER ratings_no_update BEFORE UPDATE ON ratings BEGIN SELECT RAISE (ABORT, 'ratings is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER ratings_no_delete BEFORE DELETE ON ratings BEGIN SELECT RAISE (ABORT, 'ratings is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER marks_no_update BEFORE UPDATE ON marks BEGIN SELECT RAISE (ABORT, 'marks is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER marks_no_delete BEFORE DELETE ON marks BEGIN SELECT RAISE (ABORT, 'marks is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER freezes_no_update BEFORE UPDATE ON freezes BEGIN SELECT RAISE (ABORT, 'freezes is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER freezes_no_delete BEFORE DELETE ON freezes BEGIN SELECT RAISE (ABORT, 'freezes is append-only'); END;
-- +goose StatementEnd
