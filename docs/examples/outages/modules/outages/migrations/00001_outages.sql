-- +goose Up
CREATE TABLE outages_outages (
	label_key    TEXT NOT NULL,
	id           TEXT NOT NULL,
	commodity    TEXT NOT NULL, -- electricity or gas
	planned      BOOLEAN NOT NULL,
	areas        TEXT NOT NULL, -- postal codes separated by spaces: 1234AB, or 1234 for all that begin with it
	operator     TEXT NOT NULL,
	text_nl      TEXT NOT NULL,
	text_en      TEXT NOT NULL,
	starts_at    TIMESTAMPTZ NOT NULL,
	expected_end TIMESTAMPTZ,
	ended_at     TIMESTAMPTZ,
	changed_at   TIMESTAMPTZ NOT NULL, -- time of the change at the source: an older report changes nothing
	mails        BIGINT NOT NULL, -- number of emails queued so far
	PRIMARY KEY (label_key, id)
);
-- For current and recent outages.
CREATE INDEX outages_outages_starts ON outages_outages (label_key, starts_at);

-- The addresses for which a customer gets emails.
CREATE TABLE outages_subscriptions (
	label_key   TEXT NOT NULL,
	relation_id TEXT NOT NULL,
	zip_code    TEXT NOT NULL,
	area        TEXT NOT NULL, -- the first four digits of zip_code
	PRIMARY KEY (label_key, relation_id, zip_code)
);
CREATE INDEX outages_subscriptions_area ON outages_subscriptions (label_key, area, relation_id);
-- +goose Down
DROP TABLE outages_subscriptions;
DROP TABLE outages_outages;
