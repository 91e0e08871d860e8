-- +goose Up
-- The identity keys that are accepted. Each row holds all of them, sealed with its own, so that a process that was started with any
-- of them knows the others.
CREATE TABLE identity_keyring (
	label_key  text NOT NULL, -- empty: it is of the installation
	id         text NOT NULL, -- fingerprint of the key
	keys       text NOT NULL, -- the newest first, sealed
	created_at timestamptz NOT NULL,
	PRIMARY KEY (label_key, id)
);

-- +goose Down
DROP TABLE identity_keyring;
