-- +goose Up
CREATE TABLE move_moves (
	label_key       text NOT NULL,
	id              text NOT NULL, -- that of its change request
	relation_id     text NOT NULL,
	idempotency_key text,          -- NULL when none was given
	digest          text NOT NULL, -- of the request
	state           text NOT NULL,
	filed_at        timestamptz NOT NULL,
	decided_at      timestamptz,
	reason          text NOT NULL,
	locale          text NOT NULL,
	document        text NOT NULL, -- JSON
	PRIMARY KEY (label_key, id)
);

-- The list of a relation, newest first.
CREATE INDEX move_moves_list ON move_moves (label_key, relation_id, filed_at, id);

-- One request, however often it is sent.
CREATE UNIQUE INDEX move_moves_key ON move_moves (label_key, relation_id, idempotency_key);
