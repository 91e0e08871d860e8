-- +goose Up
-- Unverified registrations. When the email address is verified, the registration becomes a change request and the row is deleted.
CREATE TABLE onboarding_applications (
	label_key  text NOT NULL,
	id         text NOT NULL,
	email      text NOT NULL, -- normalised, in lower case
	locale     text NOT NULL,
	document   text NOT NULL, -- JSON of the registration
	filed_at   timestamptz NOT NULL,
	expires_at timestamptz NOT NULL, -- end of validity of the emailed link
	attempt    text, -- hash of key and form, to recognize a repeated request after a lost response; NULL without a key
	PRIMARY KEY (label_key, id)
);
CREATE UNIQUE INDEX onboarding_applications_attempt ON onboarding_applications (label_key, attempt);
CREATE INDEX onboarding_applications_email ON onboarding_applications (label_key, email);
CREATE INDEX onboarding_applications_filed ON onboarding_applications (label_key, filed_at DESC, id DESC);

-- Requests to reactivate accounts: requested, emailed (hash is set) or used (used_at is set).
CREATE TABLE onboarding_reactivations (
	label_key    text NOT NULL,
	id           text NOT NULL,
	email        text NOT NULL, -- normalised, in lower case
	locale       text NOT NULL,
	zip_code     text NOT NULL, -- address sent with the email address, or empty
	house_number text NOT NULL,
	extension    text NOT NULL,
	hash         text, -- hash of the token; only the email contains the token
	expires_at   timestamptz NOT NULL,
	used_at      timestamptz,
	PRIMARY KEY (label_key, id),
	UNIQUE (label_key, hash)
);

-- The keys that sign challenges: one per label, created when it is first needed.
CREATE TABLE onboarding_keys (
	label_key text NOT NULL PRIMARY KEY,
	secret    text NOT NULL
);
