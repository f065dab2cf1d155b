-- What a call's provider said, every attempt, bodies, and what is locked away.

-- +goose Up
ALTER TABLE calls ADD COLUMN model      TEXT NOT NULL DEFAULT ''; -- the study's name of it
ALTER TABLE calls ADD COLUMN reasoning  TEXT NOT NULL DEFAULT '';
ALTER TABLE calls ADD COLUMN reason     TEXT NOT NULL DEFAULT '';
ALTER TABLE calls ADD COLUMN details    TEXT NOT NULL DEFAULT ''; -- JSON
ALTER TABLE calls ADD COLUMN version    TEXT NOT NULL DEFAULT '';
ALTER TABLE calls ADD COLUMN request_id TEXT NOT NULL DEFAULT '';
ALTER TABLE calls ADD COLUMN latency_ms INTEGER NOT NULL DEFAULT 0;
ALTER TABLE calls ADD COLUMN withheld   TEXT NOT NULL DEFAULT ''; -- what holds its texts; a revision without it follows a release

ALTER TABLE response_details ADD COLUMN withheld TEXT; -- a statement; empty after a release

-- Which of a row's texts stand elsewhere and are NULL here; see the store's same.
ALTER TABLE texts ADD COLUMN same INTEGER NOT NULL DEFAULT 0;

CREATE TABLE attempts ( -- each request as it was sent
  id         INTEGER PRIMARY KEY,
  call       TEXT NOT NULL, -- digest; the call itself follows, unless the run was cut short
  n          INTEGER NOT NULL,
  model      TEXT NOT NULL,
  at         TEXT NOT NULL, -- RFC 3339
  wait_ms    INTEGER NOT NULL,
  latency_ms INTEGER NOT NULL,
  status     INTEGER NOT NULL,
  kind       TEXT NOT NULL,
  headers    TEXT NOT NULL, -- JSON; empty for none
  tokens_in  INTEGER NOT NULL,
  tokens_out INTEGER NOT NULL,
  raw_hash   TEXT NOT NULL,
  withheld   TEXT NOT NULL,
  error      TEXT NOT NULL,
  UNIQUE (call, n)
) STRICT;

CREATE TABLE bodies ( -- once each
  sha256 TEXT NOT NULL UNIQUE, -- of the body before it was compressed
  zstd   BLOB NOT NULL
) STRICT;

CREATE TABLE withheld (
  id     TEXT NOT NULL UNIQUE,
  of     TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  rules  TEXT NOT NULL, -- JSON list
  at     TEXT NOT NULL  -- RFC 3339
) STRICT;

CREATE TABLE sealed ( -- apart, so that who reads the records reads none of it
  id    TEXT NOT NULL UNIQUE REFERENCES withheld (id),
  bytes BLOB NOT NULL
) STRICT;

CREATE TABLE releases (
  id        INTEGER PRIMARY KEY,
  withheld  TEXT NOT NULL UNIQUE REFERENCES withheld (id),
  at        TEXT NOT NULL, -- RFC 3339
  reviewers TEXT NOT NULL, -- JSON list
  error     TEXT NOT NULL  -- an attempt's, when that was a part
) STRICT;

-- Nothing kept is ever changed or removed.
-- +goose StatementBegin
CREATE TRIGGER attempts_no_update BEFORE UPDATE ON attempts BEGIN SELECT RAISE (ABORT, 'attempts is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER attempts_no_delete BEFORE DELETE ON attempts BEGIN SELECT RAISE (ABORT, 'attempts is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER bodies_no_update BEFORE UPDATE ON bodies BEGIN SELECT RAISE (ABORT, 'bodies is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER bodies_no_delete BEFORE DELETE ON bodies BEGIN SELECT RAISE (ABORT, 'bodies is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER withheld_no_update BEFORE UPDATE ON withheld BEGIN SELECT RAISE (ABORT, 'withheld is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER withheld_no_delete BEFORE DELETE ON withheld BEGIN SELECT RAISE (ABORT, 'withheld is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER sealed_no_update BEFORE UPDATE ON sealed BEGIN SELECT RAISE (ABORT, 'sealed is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER sealed_no_delete BEFORE DELETE ON sealed BEGIN SELECT RAISE (ABORT, 'sealed is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER releases_no_update BEFORE UPDATE ON releases BEGIN SELECT RAISE (ABORT, 'releases is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER releases_no_delete BEFORE DELETE ON releases BEGIN SELECT RAISE (ABORT, 'releases is append-only'); END;
-- +goose StatementEnd
