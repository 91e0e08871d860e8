-- +goose Up
-- One row a day of a project: what it made, and by the hour. A chart of three years reads a thousand short rows that stand beside
-- each other. Amounts are Wh.
CREATE TABLE production_days (
	label_key    text NOT NULL,
	project_code text NOT NULL,
	day          text NOT NULL, -- of the label's zone
	total        bigint NOT NULL,
	hours        text NOT NULL, -- JSON: 23 to 25 amounts, null where nothing was measured; an imported one goes before a counted one
	counted      text NOT NULL DEFAULT '', -- what counters say of the hours
	running      bigint NOT NULL DEFAULT 0, -- hours in which something was made
	PRIMARY KEY (label_key, project_code, day)
);
-- Totals and charts of years read no hours.
CREATE INDEX production_days_sums ON production_days (label_key, project_code, day, total, running);

-- What is known of a project itself: how much it can make, and whose weather it has.
CREATE TABLE production_projects (
	label_key       text NOT NULL,
	project_code    text NOT NULL,
	rated_power     bigint NOT NULL, -- W
	weather_station text NOT NULL,   -- empty: the label's
	PRIMARY KEY (label_key, project_code)
);

-- What a measurement system sent, of one meter at one moment.
CREATE TABLE production_measurements (
	label_key      text NOT NULL,
	project_code   text NOT NULL,
	meter          text NOT NULL,
	measured_at    bigint NOT NULL, -- Unix time in ms
	power          bigint,          -- W
	counter        bigint,          -- Wh since the meter began to count
	rpm            double precision,
	wind_speed     double precision, -- m/s
	wind_direction double precision, -- degrees
	source         text NOT NULL,
	quality        text NOT NULL,
	made           bigint,          -- Wh by which its counter rose since the one before that counts; null: it does not count
	PRIMARY KEY (label_key, project_code, meter, measured_at)
);

-- The newest measurement of a meter. Power is that of the measurement, or what its counter rose by.
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
