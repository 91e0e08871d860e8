-- +goose Up
-- A notification, once for all its readers. Who reads one to all or to a project is not written down: whoever was a customer, or took
-- part, at audience_at does.
CREATE TABLE notifications_notifications (
	label_key    text NOT NULL,
	id           text NOT NULL,
	kind         text NOT NULL, -- project, news, market, security, contract or payment
	title_nl     text NOT NULL,
	title_en     text NOT NULL,
	message_nl   text NOT NULL, -- sanitised HTML
	message_en   text NOT NULL,
	audience     text NOT NULL, -- all, project or selection
	project_code text NOT NULL, -- that it is about; empty for none
	project_name text NOT NULL,
	publish_at   timestamptz NOT NULL, -- from then on it can be read; before, it is planned
	audience_at  timestamptz NOT NULL, -- when participants are counted: publish_at or, for an older one, when it was imported
	created_at   timestamptz NOT NULL,
	created_by   text NOT NULL, -- an account of staff or the name of an API key
	imported     boolean NOT NULL,
	read_by_all  boolean NOT NULL, -- an older one that everybody had read
	digest       text NOT NULL, -- of the request
	mail         boolean NOT NULL, -- whether it is mailed too
	recipients   bigint, -- how many, as counted when it was written and again when it was published; NULL for an imported one
	mails        bigint NOT NULL, -- handed to the mail server so far
	-- Whether its readers were counted and its mails begun. A planned notification may be withdrawn and planned again under its id; the
	-- events of both still come.
	published    boolean NOT NULL DEFAULT FALSE,
	PRIMARY KEY (label_key, id)
);
-- The list of a customer and those of staff: newest first.
CREATE INDEX notifications_notifications_at ON notifications_notifications (label_key, publish_at DESC, id DESC);

-- Readers of a selection.
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

-- What customers chose, of kinds that are not fixed.
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

-- The key with which a label's unsubscribe links are made. Who has it can end mails of a kind to a customer, and nothing else.
CREATE TABLE notifications_keys (
	label_key text NOT NULL,
	secret    text NOT NULL,
	PRIMARY KEY (label_key)
);
