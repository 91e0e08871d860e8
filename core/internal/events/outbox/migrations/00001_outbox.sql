-- +goose Up
-- Events and emails of modules. They are kept for some time after delivery, so that a row that is relayed twice is recognized.
CREATE TABLE outbox_messages (
	label_key text NOT NULL,
	module    text NOT NULL, -- module that wrote the row
	id        text NOT NULL, -- id of the row in the module's outbox
	kind      text NOT NULL, -- event, mail, or refused for a row that could not be read
	type      text NOT NULL, -- event type; empty for an email
	payload   text NOT NULL, -- JSON; emptied when an email is sent
	at        timestamptz NOT NULL,
	PRIMARY KEY (label_key, module, id)
);
CREATE INDEX outbox_messages_at ON outbox_messages (at);

CREATE TABLE outbox_deliveries (
	label_key    text NOT NULL,
	id           text NOT NULL,
	module       text NOT NULL,
	message_id   text NOT NULL,
	subscriber   text NOT NULL, -- a module's key, "mail" or "webhook:<id>"
	state        text NOT NULL, -- WAITING, DONE or DEAD
	due_at       timestamptz NOT NULL, -- due time by the injected clock
	leased_until timestamptz,   -- by the wall clock; until then a worker has the delivery
	attempts     integer NOT NULL DEFAULT 0,
	error        text NOT NULL DEFAULT '',
	created_at   timestamptz NOT NULL,
	ended_at     timestamptz,
	PRIMARY KEY (label_key, id),
	UNIQUE (label_key, module, message_id, subscriber),
	FOREIGN KEY (label_key, module, message_id) REFERENCES outbox_messages (label_key, module, id) ON DELETE CASCADE
);
CREATE INDEX outbox_deliveries_due ON outbox_deliveries (due_at, subscriber) WHERE state = 'WAITING';
-- Deliveries are claimed per label.
CREATE INDEX outbox_deliveries_claim ON outbox_deliveries (label_key, subscriber, due_at) WHERE state = 'WAITING';
CREATE INDEX outbox_deliveries_dead ON outbox_deliveries (label_key) WHERE state = 'DEAD';
CREATE INDEX outbox_deliveries_state ON outbox_deliveries (label_key, state, created_at, id);

CREATE TABLE outbox_webhooks (
	label_key  text NOT NULL,
	id         text NOT NULL,
	url        text NOT NULL,
	types      text NOT NULL, -- JSON array of event types or prefixes that end with a dot; empty: all
	secret     text NOT NULL,
	created_at timestamptz NOT NULL,
	PRIMARY KEY (label_key, id)
);
