-- +goose Up
CREATE TABLE mykey_notes (
	label_key   TEXT NOT NULL,
	relation_id TEXT NOT NULL, -- the customer
	id          TEXT NOT NULL,
	day         TEXT NOT NULL,
	note        TEXT NOT NULL, -- JSON: the fields of Note
	PRIMARY KEY (label_key, relation_id, id)
);
-- +goose Down
DROP TABLE mykey_notes;
