-- +goose Up
CREATE TABLE marketplace_projects (
	label_key    text NOT NULL,
	project_code text NOT NULL,
	project_name text NOT NULL,
	document     text NOT NULL, -- JSON of the Project
	PRIMARY KEY (label_key, project_code)
);

-- A number of shares of one project, held by one relation at one address. The five numbers are the sums of its entries. They are stored
-- here so that constraints and queries can use them. share is the total; offered, reserved, held and moving are parts of it.
CREATE TABLE marketplace_participations (
	label_key                text NOT NULL,
	id                       text NOT NULL,
	relation_id              text NOT NULL,
	participation_identifier text NOT NULL,
	provider_identifier      text NOT NULL,
	project_code             text NOT NULL,
	address_key              text NOT NULL,
	share                    bigint NOT NULL,
	offered                  bigint NOT NULL, -- in the participation's own offers
	reserved                 bigint NOT NULL, -- in unpaid orders of other members
	held                     bigint NOT NULL, -- paid, waiting for the transfer date
	moving                   bigint NOT NULL, -- in a planned move
	sequence                 bigint NOT NULL, -- sequence of the newest entry
	hash                     text NOT NULL,   -- of the newest entry
	document                 text NOT NULL,   -- JSON: address, supplier, ean …
	seal                     text NOT NULL DEFAULT '', -- hash of the columns that never change: label, id, relation, identifier, project
	PRIMARY KEY (label_key, id),
	UNIQUE (label_key, participation_identifier),
	CHECK (offered >= 0 AND reserved >= 0 AND held >= 0 AND moving >= 0 AND share >= offered + reserved + held + moving)
);
CREATE INDEX marketplace_participations_relation ON marketplace_participations (label_key, relation_id, project_code, address_key, id);
-- Lists the participants of a project page by page.
CREATE INDEX marketplace_participations_project ON marketplace_participations (label_key, project_code, relation_id, id);

-- The ledger. Rows are only added: triggers refuse changes. hash covers the row and the previous hash.
CREATE TABLE marketplace_entries (
	label_key        text NOT NULL,
	participation_id text NOT NULL,
	sequence         bigint NOT NULL,
	kind             text NOT NULL,
	share            bigint NOT NULL, -- changes of the five numbers
	offered          bigint NOT NULL,
	reserved         bigint NOT NULL,
	held             bigint NOT NULL,
	moving           bigint NOT NULL,
	ref              text NOT NULL, -- the offer, order or move, or the kind of the imported record
	counter          text NOT NULL, -- the counter participation of a transfer or move
	reason           text NOT NULL,
	actor            text NOT NULL, -- actor
	subject          text NOT NULL, -- the account on whose behalf it was done
	role             text NOT NULL,
	effective        text,
	at               timestamptz NOT NULL,
	previous_hash    text NOT NULL,
	hash             text NOT NULL,
	PRIMARY KEY (label_key, participation_id, sequence),
	CHECK (sequence > 0)
);
CREATE INDEX marketplace_entries_ref ON marketplace_entries (label_key, ref);

CREATE TABLE marketplace_offers (
	label_key        text NOT NULL,
	id               text NOT NULL,
	reference        text NOT NULL,
	relation_id      text NOT NULL, -- the seller
	project_code     text NOT NULL,
	project_name     text NOT NULL, -- for sorting the market
	participation_id text NOT NULL,
	type             text NOT NULL, -- PUBLIC, DIRECT or PRIVATE
	status           text NOT NULL,
	date             text NOT NULL, -- first day on which the offer can be bought
	price            bigint NOT NULL, -- of a share, in cents
	shares           bigint NOT NULL, -- all shares of the offer
	left_shares      bigint NOT NULL,
	reserved         bigint NOT NULL,
	held             bigint NOT NULL,
	transferred      bigint NOT NULL,
	code             text NOT NULL, -- of a DIRECT offer; shown to its owner
	code_hash        text,          -- NULL without a code
	buyer_email      text NOT NULL,
	buyer_relation   text NOT NULL, -- redeemed the code, or gets the shares of a PRIVATE offer
	rejection_reason text NOT NULL,
	change_id        text NOT NULL,
	idempotency_key  text, -- NULL if the request contained none
	digest           text NOT NULL, -- hash of the request
	locale           text NOT NULL, -- language of the seller's request
	created_at       timestamptz NOT NULL,
	updated_at       timestamptz NOT NULL,
	PRIMARY KEY (label_key, id),
	UNIQUE (label_key, reference),
	CHECK (left_shares >= 0 AND reserved >= 0 AND held >= 0 AND transferred >= 0 AND shares >= left_shares + reserved + held + transferred)
);
CREATE UNIQUE INDEX marketplace_offers_key ON marketplace_offers (label_key, relation_id, idempotency_key);
CREATE UNIQUE INDEX marketplace_offers_code ON marketplace_offers (label_key, code_hash);
-- Offers by market and price, project, owner, buyer, status and date, change, and participation.
CREATE INDEX marketplace_offers_market ON marketplace_offers (label_key, type, status, price, project_name, id);
CREATE INDEX marketplace_offers_project ON marketplace_offers (label_key, project_code, type, status, price, id);
CREATE INDEX marketplace_offers_owner ON marketplace_offers (label_key, relation_id, created_at, id);
CREATE INDEX marketplace_offers_buyer ON marketplace_offers (label_key, buyer_relation, status, id);
CREATE INDEX marketplace_offers_status ON marketplace_offers (label_key, status, date, id);
CREATE INDEX marketplace_offers_change ON marketplace_offers (label_key, change_id);
CREATE INDEX marketplace_offers_participation ON marketplace_offers (label_key, participation_id, id);

CREATE TABLE marketplace_baskets (
	label_key   text NOT NULL,
	relation_id text NOT NULL,
	offer_id    text NOT NULL,
	shares      bigint NOT NULL,
	address     text NOT NULL, -- JSON: address of the shares
	added_at    timestamptz NOT NULL,
	PRIMARY KEY (label_key, relation_id, offer_id)
);

-- The amount due for an order is amount + administration_costs.
CREATE TABLE marketplace_orders (
	label_key            text NOT NULL,
	id                   text NOT NULL, -- deal_identifier
	reference            text NOT NULL, -- deal_reference
	relation_id          text NOT NULL, -- the buyer
	status               text NOT NULL,
	amount               bigint NOT NULL,
	administration_costs bigint NOT NULL DEFAULT 0,
	shares               bigint NOT NULL,
	private_deal         boolean NOT NULL,
	transfer_date        text NOT NULL,
	withdrawal_days      bigint, -- withdrawal period at the time of the payment; NULL until then
	placed_at            timestamptz NOT NULL,
	expires_at           timestamptz NOT NULL,
	paid_at              timestamptz,
	ended_at             timestamptz, -- cancelled, expired or completed
	end_reason           text NOT NULL DEFAULT '', -- why the portal or staff ended a paid order: CHARGED_BACK, REFUNDED_OUTSIDE or BY_STAFF
	idempotency_key      text,
	digest               text NOT NULL,
	email                text NOT NULL,
	locale               text NOT NULL,
	PRIMARY KEY (label_key, id),
	UNIQUE (label_key, reference)
);
CREATE UNIQUE INDEX marketplace_orders_key ON marketplace_orders (label_key, relation_id, idempotency_key);
CREATE INDEX marketplace_orders_relation ON marketplace_orders (label_key, relation_id, placed_at, id);
CREATE INDEX marketplace_orders_status ON marketplace_orders (label_key, status, expires_at, id);
CREATE INDEX marketplace_orders_transfer ON marketplace_orders (label_key, status, transfer_date, id);

CREATE TABLE marketplace_order_lines (
	label_key            text NOT NULL,
	order_id             text NOT NULL,
	offer_id             text NOT NULL,
	offer_reference      text NOT NULL,
	project_code         text NOT NULL,
	project_name         text NOT NULL,
	shares               bigint NOT NULL,
	price                bigint NOT NULL,
	seller_participation text NOT NULL,
	buyer_participation  text NOT NULL, -- empty until the shares are transferred
	address              text NOT NULL, -- JSON
	PRIMARY KEY (label_key, order_id, offer_id)
);
CREATE INDEX marketplace_order_lines_offer ON marketplace_order_lines (label_key, offer_id, order_id);

-- refunded and charged_back are amounts in cents that the provider reports: refunded by the portal or manually at the provider, and taken
-- back by the buyer's bank. version counts the writes of a row, so that a response that was requested before the last write is not
-- applied.
CREATE TABLE marketplace_payments (
	label_key     text NOT NULL,
	id            text NOT NULL,
	relation_id   text NOT NULL,
	order_id      text NOT NULL,
	provider      text NOT NULL,
	provider_id   text, -- NULL until the provider has created the payment
	amount        bigint NOT NULL,
	state         text NOT NULL,
	url           text NOT NULL,
	created_at    timestamptz NOT NULL,
	expires_at    timestamptz NOT NULL,
	paid_at       timestamptz,
	bought        boolean NOT NULL DEFAULT false, -- this payment paid its order
	late          boolean NOT NULL, -- arrived after its order had ended, or needs attention of staff for another reason
	seen_at       timestamptz, -- when staff marked the payment as seen
	note          text NOT NULL,
	refund_id     text NOT NULL,
	refund_since  timestamptz, -- when the refund was requested
	refund_amount bigint NOT NULL DEFAULT 0, -- remaining amount that the portal refunds
	refund_tries  bigint NOT NULL DEFAULT 0, -- number of our refunds that were accepted and then failed
	refunded      bigint NOT NULL DEFAULT 0,
	charged_back  bigint NOT NULL DEFAULT 0,
	version       bigint NOT NULL DEFAULT 0,
	checked_at    timestamptz, -- when the payment was last checked at the provider
	PRIMARY KEY (label_key, id)
);
CREATE UNIQUE INDEX marketplace_payments_provider ON marketplace_payments (label_key, provider, provider_id);
CREATE INDEX marketplace_payments_order ON marketplace_payments (label_key, order_id, id);
CREATE INDEX marketplace_payments_state ON marketplace_payments (label_key, state, id);
-- Payments that need attention and that nobody has seen, newest first.
CREATE INDEX marketplace_payments_unseen ON marketplace_payments (label_key, created_at, id) WHERE late AND seen_at IS NULL;
-- Open payments are checked at the provider too: the notification that one was paid may have been lost.
CREATE INDEX marketplace_payments_checked ON marketplace_payments (label_key, coalesce(checked_at, paid_at, created_at), id) WHERE state IN ('OPEN', 'PAID', 'REFUNDING', 'REFUNDED');

-- Outcomes that visitors chose on the page of the sandbox, the provider that moves no money. A payment without a row is open.
CREATE TABLE marketplace_sandbox (
	label_key    text NOT NULL,
	payment_id   text NOT NULL,
	state        text NOT NULL,
	at           timestamptz NOT NULL,
	refunded     bigint NOT NULL DEFAULT 0,
	charged_back bigint NOT NULL DEFAULT 0,
	refund_key   text NOT NULL DEFAULT '', -- key of the last refund
	PRIMARY KEY (label_key, payment_id)
);

CREATE TABLE marketplace_moves (
	label_key          text NOT NULL,
	id                 text NOT NULL,
	relation_id        text NOT NULL,
	state              text NOT NULL, -- PLANNED, DONE or CANCELLED
	date               text NOT NULL,
	from_participation text NOT NULL,
	to_participation   text NOT NULL, -- empty until the participation is created
	shares             bigint NOT NULL,
	address            text NOT NULL, -- JSON: destination
	old_address        text NOT NULL, -- JSON: origin
	idempotency_key    text,
	digest             text NOT NULL,
	item               bigint NOT NULL, -- index of the item in its request
	created_at         timestamptz NOT NULL,
	ended_at           timestamptz,
	PRIMARY KEY (label_key, id)
);
CREATE UNIQUE INDEX marketplace_moves_key ON marketplace_moves (label_key, relation_id, idempotency_key, item);
CREATE INDEX marketplace_moves_relation ON marketplace_moves (label_key, relation_id, date, id);
CREATE INDEX marketplace_moves_state ON marketplace_moves (label_key, state, date, id);

CREATE TABLE marketplace_access (
	label_key   text NOT NULL,
	relation_id text NOT NULL,
	state       text NOT NULL, -- PENDING, APPROVED or REJECTED
	change_id   text NOT NULL,
	email       text NOT NULL,
	locale      text NOT NULL,
	at          timestamptz NOT NULL,
	PRIMARY KEY (label_key, relation_id)
);
