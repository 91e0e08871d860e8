-- +goose Up
-- The last valid versions of labels: the files of their folders when these were valid (decision 0026).
CREATE TABLE label_versions (
	label_key text NOT NULL,
	schema    text NOT NULL, -- hash of the schema that validated it
	revision  text NOT NULL, -- hash of everything in the label
	kept_at   timestamptz NOT NULL,
	files     blob NOT NULL, -- ZIP of label.cue, messages and assets
	PRIMARY KEY (label_key, schema)
);
CREATE TABLE label_retirements (
	label_key  text NOT NULL,
	retired_at timestamptz NOT NULL,
	PRIMARY KEY (label_key)
);
