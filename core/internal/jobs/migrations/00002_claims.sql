-- +goose Up
-- When a replica last claimed a periodic job, by the wall clock: the next run is due one interval later.
CREATE TABLE jobs_claims (
	label_key  text NOT NULL, -- always empty: a job runs for the whole installation
	job        text NOT NULL,
	claimed_at timestamptz NOT NULL,
	PRIMARY KEY (label_key, job)
);

-- +goose Down
DROP TABLE jobs_claims;
