-- +goose Up
-- Labels whose demo records were loaded; a label that comes later is loaded at the next start.
CREATE TABLE demo_loaded (
	label_key text NOT NULL,
	at        timestamptz NOT NULL,
	PRIMARY KEY (label_key)
);

-- +goose Down
DROP TABLE demo_loaded;
