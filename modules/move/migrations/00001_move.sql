-- +goose Up
CREATE TABLE move_moves (
	label_key       text NOT NULL,
	id              text NOT NULL, -- id of the change request
	relation_id     text NOT NULL,
	idempotency_key text,          -- NULL when none was sent
	digest          text NOT NULL, -- hash of the request
	state           text NOT NULL,
	filed_at        timestamptz NOT NULL,
	decided_at      timestamptz,
	reason          text NOT NULL,
	locale          text NOT NULL,
	document        text NOT NULL, -- JSON
	PRIMARY KEY (label_key, id)
);

-- For the moves of a relation, newest first.
CREATE INDEX move_moves_list ON move_moves (label_key, relation_id, filed_at, id);

-- A request is stored once, however often it is sent.
CREATE UNIQUE INDEX move_moves_key ON move_moves (label_key, relation_id, idempotency_key);
