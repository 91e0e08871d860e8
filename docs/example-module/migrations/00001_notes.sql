-- +goose Up
CREATE TABLE acme_notes (
	label_key   TEXT NOT NULL,
	relation_id TEXT NOT NULL,
	id          TEXT NOT NULL,
	text        TEXT NOT NULL,
	mailed      BOOLEAN NOT NULL DEFAULT FALSE,
	PRIMARY KEY (label_key, relation_id, id)
);
-- +goose Down
DROP TABLE acme_notes;
