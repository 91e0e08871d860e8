-- +goose Up
-- Registrations whose e-mail address is not verified yet. From then on the change request has them, and the row is gone.
CREATE TABLE onboarding_applications (
	label_key  text NOT NULL,
	id         text NOT NULL,
	email      text NOT NULL, -- normalised, in lower case
	locale     text NOT NULL,
	document   text NOT NULL, -- JSON of the application
	filed_at   timestamptz NOT NULL,
	expires_at timestamptz NOT NULL, -- of the mailed link
	attempt    text, -- hash of key and content: a registration whose answer got lost is sent again with the same; NULL without a key
	PRIMARY KEY (label_key, id)
);
CREATE UNIQUE INDEX onboarding_applications_attempt ON onboarding_applications (label_key, attempt);
CREATE INDEX onboarding_applications_email ON onboarding_applications (label_key, email);
CREATE INDEX onboarding_applications_filed ON onboarding_applications (label_key, filed_at DESC, id DESC);

-- Accounts that somebody wants to wake: asked for, mailed (from then on there is a hash), used.
CREATE TABLE onboarding_reactivations (
	label_key    text NOT NULL,
	id           text NOT NULL,
	email        text NOT NULL, -- normalised, in lower case
	locale       text NOT NULL,
	zip_code     text NOT NULL, -- the address that was given with the e-mail address, or empty
	house_number text NOT NULL,
	extension    text NOT NULL,
	hash         text, -- of the token; the token itself stands only in the mail
	expires_at   timestamptz NOT NULL,
	used_at      timestamptz,
	PRIMARY KEY (label_key, id),
	UNIQUE (label_key, hash)
);

-- What challenges are signed with: one key per label, made when it is first needed.
CREATE TABLE onboarding_keys (
	label_key text NOT NULL PRIMARY KEY,
	secret    text NOT NULL
);
