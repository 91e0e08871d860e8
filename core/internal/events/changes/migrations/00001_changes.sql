-- +goose Up
-- The queue of change requests that staff and the back office read. The module's own row is authoritative; this one follows it.
CREATE TABLE changes (
	label_key   text NOT NULL,
	id          text NOT NULL,
	module      text NOT NULL,
	relation_id text NOT NULL,
	subject     text NOT NULL,
	kind        text NOT NULL,
	key         text NOT NULL,
	state       text NOT NULL,
	effective   text,
	data        text NOT NULL,
	filed_at    timestamptz NOT NULL,
	decided_at  timestamptz,
	decided_by  text NOT NULL DEFAULT '',
	reason      text NOT NULL DEFAULT '',
	due_at      timestamptz, -- when it is processed automatically, by the injected clock
	attempts    integer NOT NULL DEFAULT 0,
	PRIMARY KEY (label_key, id)
);
CREATE INDEX changes_filed ON changes (label_key, filed_at, id);
CREATE INDEX changes_state ON changes (label_key, state, filed_at, id);
CREATE INDEX changes_due ON changes (due_at) WHERE due_at IS NOT NULL;
