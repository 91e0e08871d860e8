-- +goose Up
-- What of a label's demo was loaded: a file with its checksum, or a call made as one of its people. A new or changed one is loaded at
-- the next start, also into the database of a release that did not have it yet. Table demo_loaded is no longer read.
CREATE TABLE demo_parts (
	label_key text NOT NULL,
	name      text NOT NULL,
	sum       text NOT NULL,
	at        timestamptz NOT NULL,
	PRIMARY KEY (label_key, name)
);

-- +goose Down
DROP TABLE demo_parts;
