-- +goose Up
-- One row a day of a project: what it made, and by the hour. A chart of three years reads a thousand short rows that stand beside
-- each other. Amounts are Wh.
CREATE TABLE production_days (
	label_key    text NOT NULL,
	project_code text NOT NULL,
	day          text NOT NULL, -- of the label's zone
	total        bigint NOT NULL,
	hours        text NOT NULL, -- JSON: 23 to 25 amounts, null where nothing was measured
	PRIMARY KEY (label_key, project_code, day)
);

-- +goose Down
DROP TABLE production_days;
