package marketplaceapi

import (
	"time"

	"github.com/wattle-portal/wattle/core/event"
	"github.com/wattle-portal/wattle/core/value"
)

// Event types that module marketplace publishes.
const (
	EventOfferCreated  = "marketplace.offer_created"
	EventOfferApproved = "marketplace.offer_approved"
	EventOfferActive   = "marketplace.offer_active"
	EventOfferSold     = "marketplace.offer_sold"
	EventOfferRejected = "marketplace.offer_rejected"
	EventOfferRevoked  = "marketplace.offer_revoked"
	EventOfferRedeemed = "marketplace.offer_redeemed"

	EventOrderBought = "marketplace.order_bought"
	EventPaymentCase = "marketplace.payment_case"

	EventSharesTransferred = "marketplace.shares_transferred"
	EventSharesMoved       = "marketplace.shares_moved"
	EventMovePlanned       = "marketplace.move_planned"
	EventMoveCancelled     = "marketplace.move_cancelled"

	EventAccessRequested = "marketplace.access_requested"
	EventAccessApproved  = "marketplace.access_approved"
	EventAccessRejected  = "marketplace.access_rejected"

	EventAuditFailed = "marketplace.audit_failed"

	// Internal events. The sweep makes up for lost ones.
	EventOfferDue    = "marketplace.offer_due"
	EventTransferDue = "marketplace.transfer_due"
	EventMoveDue     = "marketplace.move_due"
	EventNotice      = "marketplace.notice"
	EventSwept       = "marketplace.swept"
	EventAudit       = "marketplace.audit_due"

	EventOrdersPlaced   = "marketplace.orders_placed"
	EventOrdersRemind   = "marketplace.orders_remind_due"
	EventOrdersExpire   = "marketplace.orders_expire_due"
	EventOrdersTransfer = "marketplace.order_transfer_due"
	EventRefund         = "marketplace.refund_due"
)

const (
	offer      = "Id of the offer"
	firstOrder = "Id of the first of the orders"
	move       = "Id of the move of shares"
	relation   = "Id of the relation"
	payment    = "Id of the payment"
)

// Events lists the events that module marketplace publishes.
var Events = []event.Type{
	event.Of[OfferChanged](EventOfferCreated, offer, "An offer was placed or reduced, and waits for the approval of staff"),
	event.Of[OfferChanged](EventOfferApproved, offer, "Staff approved an offer, which waits for its date"),
	event.Of[OfferChanged](EventOfferActive, offer, "An offer can be bought, or was reduced while it can be"),
	event.Of[OfferChanged](EventOfferSold, offer, "The shares of an offer to one member were handed over"),
	event.Of[OfferChanged](EventOfferRejected, offer, "Staff or the rules rejected an offer"),
	event.Of[OfferChanged](EventOfferRevoked, offer, "The last shares of an offer were taken back"),
	event.Of[OfferRedeemed](EventOfferRedeemed, offer, "A member used the code of a personal offer: nobody else can buy it now"),
	event.Of[Orders](EventOrderBought, firstOrder, "An order was paid"),
	event.Of[PaymentCase](EventPaymentCase, payment, "Somebody has to look at a payment: money came back, or came too late"),
	event.Of[SharesMoved](EventSharesTransferred, offer, "Shares were handed over to another member"),
	event.Of[SharesMoved](EventSharesMoved, move, "Shares were moved to another address of their owner"),
	event.Of[SharesMoved](EventMovePlanned, move, "A move of shares was planned for a later day"),
	event.Of[SharesMoved](EventMoveCancelled, move, "A planned move of shares was cancelled"),
	event.Of[AccessChanged](EventAccessRequested, relation, "A member asked for access to the market"),
	event.Of[AccessChanged](EventAccessApproved, relation, "A member was given access to the market"),
	event.Of[AccessChanged](EventAccessRejected, relation, "A member was refused access to the market"),
	event.Of[AuditReport](EventAuditFailed, "Key of the label", "The nightly audit found that the ledger of shares is not whole"),

	event.Internal[OfferDue](EventOfferDue, offer, "The date of an approved offer has come"),
	event.Internal[OfferDue](EventTransferDue, offer, "A transfer to another member can be made"),
	event.Internal[MoveDue](EventMoveDue, move, "The day of a planned move of shares has come"),
	event.Internal[Notice](EventNotice, "Id of the relation that reads it, or of the offer", "Somebody is to be notified by mail"),
	event.Scheduled(EventSwept, "Whatever is due and was missed is done"),
	event.Scheduled(EventAudit, "The ledger of shares is audited"),
	event.Internal[Orders](EventOrdersPlaced, firstOrder, "Orders were placed: the provider is asked for their payments"),
	event.Internal[Orders](EventOrdersRemind, firstOrder, "The reservation of orders that are not paid ends soon"),
	event.Internal[Orders](EventOrdersExpire, firstOrder, "The reservation of orders that are not paid is over"),
	event.Internal[Orders](EventOrdersTransfer, firstOrder, "The transfer date of a paid order has come"),
	event.Internal[RefundDue](EventRefund, payment, "The money of a payment goes back"),
}

// OfferChanged is the data of events about a change of an offer's status or shares.
type OfferChanged struct {
	Offer     string      `json:"offer" doc:"Id of the offer"`
	Reference string      `json:"reference" doc:"Human-readable reference of the offer"`
	Relation  string      `json:"relation" doc:"Id of the seller's relation"`
	Project   string      `json:"project_code" doc:"Code of the project"`
	Type      string      `json:"offer_publication_type" enum:"PUBLIC,DIRECT,PRIVATE" doc:"PUBLIC: for every member; DIRECT: redeemed by a code; PRIVATE: a transfer free of charge"`
	Shares    int64       `json:"shares" doc:"Number of shares that were offered"`
	Left      int64       `json:"left" doc:"Number of shares that can still be bought"`
	Price     value.Cents `json:"price_per_share" doc:"Price of a share in euros"`
	Date      value.Day   `json:"date" doc:"First day on which the offer can be bought"`
	Reason    string      `json:"reason,omitempty" doc:"Reason code of a rejection"`
}

// OfferRedeemed is the data of EventOfferRedeemed.
type OfferRedeemed struct {
	Offer     string `json:"offer" doc:"Id of the offer"`
	Reference string `json:"reference" doc:"Human-readable reference of the offer"`
	Relation  string `json:"relation" doc:"Id of the seller's relation"`
	Buyer     string `json:"buyer" doc:"Id of the buyer's relation"`
}

// Orders is the data of the events about orders.
type Orders struct {
	Orders []string `json:"orders" nullable:"false" doc:"Ids of the orders"`
}

// PaymentCase is the data of EventPaymentCase.
type PaymentCase struct {
	Payment     string      `json:"payment" doc:"Id of the payment"`
	Order       string      `json:"order" doc:"Id of its order"`
	Reference   string      `json:"reference" doc:"Human-readable reference of the order"`
	Relation    string      `json:"relation" doc:"Id of the buyer's relation"`
	OrderStatus string      `json:"order_status" enum:"CREATED,AWAITING_PAYMENT,BOUGHT,COMPLETED,EXPIRED,CANCELLED" doc:"Status of the order"`
	Note        string      `json:"note" doc:"Code of what happened, such as CHARGED_BACK"`
	State       string      `json:"state" doc:"State of the payment, such as PAID or REFUNDED"`
	Amount      value.Cents `json:"amount" doc:"Amount that was paid"`
	Refunded    value.Cents `json:"refunded" doc:"Part of the amount that was refunded"`
	ChargedBack value.Cents `json:"charged_back" doc:"Part of the amount that the buyer's bank took back"`
}

// SharesMoved is the data of EventSharesTransferred, EventSharesMoved, EventMovePlanned and EventMoveCancelled.
type SharesMoved struct {
	Relation string    `json:"relation" doc:"Id of the relation that owned the shares"`
	Receiver string    `json:"receiver,omitempty" doc:"Id of the relation that receives the shares, if it is another one"`
	Project  string    `json:"project" doc:"Code of the project"`
	From     string    `json:"from" doc:"Id of the participation that the shares leave"`
	To       string    `json:"to,omitempty" doc:"Id of the participation that receives the shares; absent while there is none"`
	Shares   int64     `json:"shares" doc:"Number of shares that move"`
	Day      value.Day `json:"day" doc:"First day with the new owner or at the new address"`
}

// AccessChanged is the data of the events about access to the market.
type AccessChanged struct {
	Relation string `json:"relation" doc:"Id of the relation"`
	Reason   string `json:"reason,omitempty" doc:"Text that staff wrote for the decision"`
}

// AuditReport is the data of EventAuditFailed.
type AuditReport struct {
	Participations int            `json:"participations" doc:"Number of participations that were audited"`
	Entries        int            `json:"entries" doc:"Number of ledger entries that were audited"`
	Offers         int            `json:"offers" doc:"Number of offers that were audited"`
	Shares         int64          `json:"shares" doc:"Number of shares in the ledger"`
	Findings       []AuditFinding `json:"findings" nullable:"false" doc:"Inconsistencies in the ledger"`
	More           int            `json:"more,omitempty" doc:"Number of findings that are left out"`
}

// AuditFinding is an inconsistency that the audit found.
type AuditFinding struct {
	What  string `json:"what" doc:"chain, balance, participation, offer, move, project or payment"`
	ID    string `json:"id" doc:"Id of the participation, offer, project or order"`
	Where int64  `json:"sequence,omitempty" doc:"Sequence of the entry, for a broken chain"`
	Text  string `json:"text" doc:"What is wrong, in a sentence for operators"`
}

// OfferDue is the data of EventOfferDue and EventTransferDue.
type OfferDue struct {
	Offer string `json:"offer" doc:"Id of the offer"`
}

// MoveDue is the data of EventMoveDue.
type MoveDue struct {
	Move string `json:"move" doc:"Id of the move of shares"`
}

// RefundDue is the data of EventRefund.
type RefundDue struct {
	Payment string `json:"payment" doc:"Id of the payment"`
}

// Notice is the data of EventNotice: an email notification. It contains no secrets.
type Notice struct {
	Kind      NoticeKind  `json:"kind" doc:"Kind of email"`
	Relation  string      `json:"relation,omitempty" doc:"Id of the relation that receives the email"`
	From      string      `json:"from,omitempty" doc:"Id of the relation that is named in the email as the giver of the shares"`
	Offer     string      `json:"offer,omitempty" doc:"Id of the offer; for kind code, its buyer receives the email"`
	Type      string      `json:"type,omitempty" enum:"PUBLIC,DIRECT,PRIVATE" doc:"Type of the offer"`
	Reference string      `json:"reference,omitempty" doc:"Human-readable reference of the offer or the order"`
	Project   string      `json:"project,omitempty" doc:"Name of the project"`
	Shares    int64       `json:"shares,omitempty" doc:"Number of shares"`
	Price     value.Cents `json:"price,omitempty" doc:"Price of a share"`
	Amount    value.Cents `json:"amount,omitempty" doc:"Total amount"`
	Refund    value.Cents `json:"refund,omitempty" doc:"Amount that is returned to the buyer"`
	Day       value.Day   `json:"day,omitzero" doc:"Date of an offer or a move, or transfer date of an order or a transfer"`
	Until     time.Time   `json:"until,omitzero" doc:"Time until which the order can be paid or undone"`
	At        time.Time   `json:"at,omitzero" doc:"Time that a receipt confirms"`
	Reason    string      `json:"reason,omitempty" doc:"Reason code of a rejection, refund or chargeback, or text that staff wrote"`
	Address   string      `json:"address,omitempty" doc:"Address of the shares, in one line"`
	Free      bool        `json:"free,omitempty" doc:"For a sale that is undone: the offer has ended, so the shares are not for sale again"`
}

// NoticeKind is the kind of email of a Notice.
type NoticeKind string
