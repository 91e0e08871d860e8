-- +goose Up
CREATE TABLE limit_attempts (
	label_key text NOT NULL,
	name      text NOT NULL, -- hash of the counted key, so that the table contains no names or addresses of people
	tries     bigint NOT NULL,
	ends_at   timestamptz NOT NULL,
	PRIMARY KEY (label_key, name)
);
CREATE INDEX limit_attempts_end ON limit_attempts (ends_at);
