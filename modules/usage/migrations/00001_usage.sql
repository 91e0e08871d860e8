-- +goose Up
CREATE TABLE usage_connections (
	label_key            text NOT NULL,
	ean_code             text NOT NULL,
	relation_id          text NOT NULL,
	commodity            text NOT NULL,
	ean_group_number     text NOT NULL,
	location_id          text NOT NULL,
	meter_type           text NOT NULL,
	meter_number         text NOT NULL,
	capacity             text NOT NULL,
	address              text NOT NULL, -- JSON
	agreement_identifier text NOT NULL,
	delivery             text NOT NULL, -- JSON
	PRIMARY KEY (label_key, ean_code)
);
CREATE INDEX usage_connections_relation ON usage_connections (label_key, relation_id, ean_code);

-- Meter readings at the start of a day. Amounts here and below are in Wh or dm³.
CREATE TABLE usage_readings (
	label_key     text NOT NULL,
	ean_code      text NOT NULL,
	day           text NOT NULL,
	meter_number  text NOT NULL,
	normal        bigint,
	low           bigint,
	feedin_normal bigint,
	feedin_low    bigint,
	PRIMARY KEY (label_key, ean_code, day, meter_number)
);

-- One row per day and connection: its totals and its packed intervals (profile.go). A chart of a year reads 365 short rows that are stored
-- next to each other. On PostgreSQL, this table has monthly partitions (postgres/).
CREATE TABLE usage_days (
	label_key     text NOT NULL,
	ean_code      text NOT NULL,
	day           text NOT NULL,
	seconds       integer NOT NULL, -- length of an interval
	missing       integer NOT NULL, -- intervals without a measurement
	normal        bigint,
	low           bigint,
	feedin_normal bigint,
	feedin_low    bigint,
	gas           bigint,
	intervals     blob,
	PRIMARY KEY (label_key, ean_code, day)
) WITHOUT ROWID;

-- The history of consents: rows are added and never changed.
CREATE TABLE usage_consents (
	label_key    text NOT NULL,
	id           text NOT NULL,
	relation_id  text NOT NULL,
	ean_code     text NOT NULL,
	given        boolean NOT NULL,
	at           timestamptz NOT NULL,
	text_version text NOT NULL, -- of the text that was agreed to, or that was shown when consent was revoked
	subject      text NOT NULL, -- the account that decided
	PRIMARY KEY (label_key, id)
);
CREATE INDEX usage_consents_relation ON usage_consents (label_key, relation_id, at, id);

CREATE TABLE usage_retrievals (
	label_key    text NOT NULL,
	relation_id  text NOT NULL,
	agreement    text NOT NULL,
	number       integer NOT NULL,
	state        text NOT NULL,
	ean_codes    text NOT NULL, -- JSON
	from_day     text NOT NULL,
	until_day    text NOT NULL,
	done         integer NOT NULL,
	tries        integer NOT NULL,
	reach_day    text,
	code         text NOT NULL,
	subject      text NOT NULL,
	requested_at timestamptz NOT NULL,
	touched_at   timestamptz NOT NULL,
	finished_at  timestamptz,
	PRIMARY KEY (label_key, relation_id, agreement, number)
);
