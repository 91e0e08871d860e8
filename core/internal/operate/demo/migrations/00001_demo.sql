-- +goose Up
-- What of a label's demo was loaded: a file with its checksum, or a call made as one of its people. A new or changed one is loaded at
-- the next start.
CREATE TABLE demo_parts (
	label_key text NOT NULL,
	name      text NOT NULL,
	sum       text NOT NULL,
	at        timestamptz NOT NULL,
	PRIMARY KEY (label_key, name)
);
