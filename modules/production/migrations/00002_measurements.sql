-- +goose Up
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

-- What counters say of the hours of a day; what was imported of an hour (column hours) goes before it.
ALTER TABLE production_days ADD COLUMN counted text NOT NULL DEFAULT '';
-- In how many hours something was made.
ALTER TABLE production_days ADD COLUMN running bigint NOT NULL DEFAULT 0;
UPDATE production_days SET running = (SELECT count(*) FROM json_each(hours) WHERE value > 0);
-- Totals and charts of years read no hours.
CREATE INDEX production_days_sums ON production_days (label_key, project_code, day, total, running);

-- +goose Down
DROP INDEX production_days_sums;
ALTER TABLE production_days DROP COLUMN running;
ALTER TABLE production_days DROP COLUMN counted;
DROP TABLE production_meters;
DROP TABLE production_measurements;
DROP TABLE production_projects;
