-- +goose Up
-- One row per day and project: its total and hourly production in Wh. A chart of three years reads a thousand short rows that are stored
-- next to each other.
CREATE TABLE production_days (
	label_key    text NOT NULL,
	project_code text NOT NULL,
	day          text NOT NULL, -- civil day in the label's zone
	total        bigint NOT NULL,
	hours        text NOT NULL, -- JSON of the imported hours: 23 to 25 amounts, null if not imported; they take precedence over counted
	counted      text NOT NULL DEFAULT '', -- JSON of the hours counted from meters
	running      bigint NOT NULL DEFAULT 0, -- hours with production
	PRIMARY KEY (label_key, project_code, day)
);
-- Totals and charts of years do not read hours.
CREATE INDEX production_days_sums ON production_days (label_key, project_code, day, total, running);

-- The rated power and the weather station of a project.
CREATE TABLE production_projects (
	label_key       text NOT NULL,
	project_code    text NOT NULL,
	rated_power     bigint NOT NULL, -- W
	weather_station text NOT NULL,   -- empty: the label's station
	PRIMARY KEY (label_key, project_code)
);

-- A measurement of one meter at one moment, as sent by a measurement system.
CREATE TABLE production_measurements (
	label_key      text NOT NULL,
	project_code   text NOT NULL,
	meter          text NOT NULL,
	measured_at    bigint NOT NULL, -- Unix time in ms
	power          bigint,          -- W
	counter        bigint,          -- Wh since the meter started counting
	rpm            double precision,
	wind_speed     double precision, -- m/s
	wind_direction double precision, -- degrees
	source         text NOT NULL,
	quality        text NOT NULL,
	made           bigint,          -- Wh since the previous counting measurement; NULL: this one does not count
	PRIMARY KEY (label_key, project_code, meter, measured_at)
);

-- The newest measurement of each meter. Its power was measured, or computed from the rise of its counter.
CREATE TABLE production_meters (
	label_key      text NOT NULL,
	project_code   text NOT NULL,
	meter          text NOT NULL,
	measured_at    bigint NOT NULL,
	power          bigint,
	rpm            double precision,
	wind_speed     double precision,
	wind_direction double precision,
	source         text NOT NULL,
	quality        text NOT NULL,
	PRIMARY KEY (label_key, project_code, meter)
);
