-- +goose Up
-- A notification is stored once for all its readers. The readers of a notification to all customers or to a project are not stored: they
-- are the customers, or the participants, at audience_at.
CREATE TABLE notifications_notifications (
	label_key    text NOT NULL,
	id           text NOT NULL,
	kind         text NOT NULL, -- project, news, market, security, contract or payment
	title_nl     text NOT NULL,
	title_en     text NOT NULL,
	message_nl   text NOT NULL, -- sanitised HTML
	message_en   text NOT NULL,
	audience     text NOT NULL, -- all, project or selection
	project_code text NOT NULL, -- project of the notification; empty for none
	project_name text NOT NULL,
	publish_at   timestamptz NOT NULL, -- can be read from this time on; before, it is planned
	audience_at  timestamptz NOT NULL, -- time at which readers are determined: publish_at or, if imported, the time of the import
	created_at   timestamptz NOT NULL,
	created_by   text NOT NULL, -- a staff account or the name of an API key
	imported     boolean NOT NULL,
	read_by_all  boolean NOT NULL, -- imported as read by all its readers
	digest       text NOT NULL, -- hash of the request
	mail         boolean NOT NULL, -- whether it is also emailed
	recipients   bigint, -- number, counted when it was created and again when it was published; NULL if imported
	mails        bigint NOT NULL, -- number of emails queued so far
	-- Whether its readers were counted and its emails were started. A planned notification may be withdrawn and planned again with the same
	-- id; the events of both are still delivered.
	published    boolean NOT NULL DEFAULT FALSE,
	PRIMARY KEY (label_key, id)
);
-- For the lists of customers and staff, newest first.
CREATE INDEX notifications_notifications_at ON notifications_notifications (label_key, publish_at DESC, id DESC);

-- The readers of notifications to a selection.
CREATE TABLE notifications_recipients (
	label_key       text NOT NULL,
	notification_id text NOT NULL,
	relation_id     text NOT NULL,
	PRIMARY KEY (label_key, notification_id, relation_id),
	FOREIGN KEY (label_key, notification_id) REFERENCES notifications_notifications (label_key, id) ON DELETE CASCADE
);

CREATE TABLE notifications_reads (
	label_key       text NOT NULL,
	relation_id     text NOT NULL,
	notification_id text NOT NULL,
	read_at         timestamptz NOT NULL,
	PRIMARY KEY (label_key, relation_id, notification_id),
	FOREIGN KEY (label_key, notification_id) REFERENCES notifications_notifications (label_key, id) ON DELETE CASCADE
);
CREATE INDEX notifications_reads_notification ON notifications_reads (label_key, notification_id);

-- The preferences of customers for kinds that are not fixed.
CREATE TABLE notifications_preferences (
	label_key   text NOT NULL,
	relation_id text NOT NULL,
	kind        text NOT NULL,
	portal      boolean NOT NULL,
	mail        boolean NOT NULL,
	updated_at  timestamptz NOT NULL,
	PRIMARY KEY (label_key, relation_id, kind)
);
CREATE INDEX notifications_preferences_kind ON notifications_preferences (label_key, kind, mail, relation_id);

-- The key for a label's unsubscribe links. It can be used only to stop emails of a kind to a customer.
CREATE TABLE notifications_keys (
	label_key text NOT NULL,
	secret    text NOT NULL,
	PRIMARY KEY (label_key)
);
