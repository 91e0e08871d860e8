-- +goose Up
-- When a replica last took a wake, by the wall clock: the next one is due some time after it.
CREATE TABLE jobs_wakes (
	label_key text NOT NULL, -- empty: it is of the installation
	job       text NOT NULL,
	taken_at  timestamptz NOT NULL,
	PRIMARY KEY (label_key, job)
);

-- +goose Down
DROP TABLE jobs_wakes;
