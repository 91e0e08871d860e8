-- +goose Up
-- The last tick of each schedule that an event was made for, by the injected clock.
CREATE TABLE jobs_ticks (
	label_key text NOT NULL,
	type      text NOT NULL, -- of the event
	last_at   timestamptz NOT NULL,
	PRIMARY KEY (label_key, type)
);
