-- +goose Up
-- The last good versions of labels: what a folder held when it was right (decision 0026).
CREATE TABLE label_versions (
	label_key text NOT NULL,
	schema    text NOT NULL, -- hash of the schema that it was right by
	revision  text NOT NULL, -- hash of all that the label consists of
	kept_at   timestamptz NOT NULL,
	files     blob NOT NULL, -- ZIP of label.cue, messages and assets
	PRIMARY KEY (label_key, schema)
);
CREATE TABLE label_retirements (
	label_key  text NOT NULL,
	retired_at timestamptz NOT NULL,
	PRIMARY KEY (label_key)
);
