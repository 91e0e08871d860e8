-- +goose Up
-- The last tick of each schedule for which an event was published, by the injected clock.
CREATE TABLE jobs_ticks (
	label_key text NOT NULL,
	type      text NOT NULL, -- event type
	last_at   timestamptz NOT NULL,
	PRIMARY KEY (label_key, type)
);

-- When a replica last claimed a periodic job, by the wall clock: the next run is due one interval later.
CREATE TABLE jobs_claims (
	label_key  text NOT NULL, -- always empty: a job runs for the whole installation
	job        text NOT NULL,
	claimed_at timestamptz NOT NULL,
	PRIMARY KEY (label_key, job)
);
