package marketplace

import (
	"time"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/value"
)

// projectRow is a project as it is stored.
type projectRow struct {
	bun.BaseModel `bun:"table:marketplace_projects,alias:pr"`
	LabelKey      string `bun:",pk"`
	ProjectCode   string `bun:",pk"`
	ProjectName   string
	Document      string // JSON of the project
}

// offerRow is an offer. Only take, giveBack, sell, unsell and settle move its shares between the four numbers.
type offerRow struct {
	bun.BaseModel   `bun:"table:marketplace_offers,alias:o"`
	LabelKey        string `bun:",pk"`
	ID              string `bun:",pk"`
	Reference       string
	RelationID      string // the seller
	ProjectCode     string
	ProjectName     string
	ParticipationID string
	Type            string
	Status          status
	Date            value.Day
	Price           value.Cents
	Shares          int64
	Left            int64 `bun:"left_shares"`
	Reserved        int64
	Held            int64
	Transferred     int64
	Code            string
	CodeHash        *string // nil: it has no code
	BuyerEmail      string
	BuyerRelation   string
	RejectionReason string
	ChangeID        string
	IdempotencyKey  *string // nil: none was given
	Digest          string
	Locale          string // in which the seller asked for it
	CreatedAt       time.Time
	UpdatedAt       time.Time
}

// basketRow is an offer in a basket.
type basketRow struct {
	bun.BaseModel `bun:"table:marketplace_baskets,alias:b"`
	LabelKey      string `bun:",pk"`
	RelationID    string `bun:",pk"`
	OfferID       string `bun:",pk"`
	Shares        int64
	Address       string // JSON of an Address
	AddedAt       time.Time
}

// orderRow is an order.
type orderRow struct {
	bun.BaseModel  `bun:"table:marketplace_orders,alias:d"`
	LabelKey       string `bun:",pk"`
	ID             string `bun:",pk"` // deal_identifier
	Reference      string // deal_reference
	RelationID     string // the buyer
	Status         status
	Amount         value.Cents
	Shares         int64
	PrivateDeal    bool
	TransferDate   value.Day
	PlacedAt       time.Time
	ExpiresAt      time.Time
	PaidAt         *time.Time
	EndedAt        *time.Time
	EndReason      string // why the portal or staff ended a paid order; empty: its buyer did
	IdempotencyKey *string
	Digest         string
	Email          string
	Locale         string
}

// orderLineRow is what an order takes of one offer.
type orderLineRow struct {
	bun.BaseModel       `bun:"table:marketplace_order_lines,alias:l"`
	LabelKey            string `bun:",pk"`
	OrderID             string `bun:",pk"`
	OfferID             string `bun:",pk"`
	OfferReference      string
	ProjectCode         string
	ProjectName         string
	Shares              int64
	Price               value.Cents
	SellerParticipation string
	BuyerParticipation  string // empty until the shares are there
	Address             string // JSON of an Address
}

// paymentRow is one try to pay an order.
type paymentRow struct {
	bun.BaseModel `bun:"table:marketplace_payments,alias:y"`
	LabelKey      string `bun:",pk"`
	ID            string `bun:",pk"`
	RelationID    string
	OrderID       string
	Provider      string
	ProviderID    *string // nil until the provider has made it
	Amount        value.Cents
	State         string
	URL           string
	CreatedAt     time.Time
	ExpiresAt     time.Time
	PaidAt        *time.Time
	Late          bool
	Note          string
	RefundID      string
	RefundSince   *time.Time // since when its money is to go back
	SeenAt        *time.Time // when staff had seen to it
	Refunded      value.Cents
	ChargedBack   value.Cents
	Bought        bool        // it bought its order
	RefundAmount  value.Cents // that we wish back; 0 in rows of before: all
	RefundTries   int64       // refunds of ours that were taken on and failed
	Version       int64       // counts the writes of the row
	CheckedAt     *time.Time  // when the provider was last asked for what came back
}

// moveRow is a move of shares from one participation to another of the same relation.
type moveRow struct {
	bun.BaseModel     `bun:"table:marketplace_moves,alias:m"`
	LabelKey          string `bun:",pk"`
	ID                string `bun:",pk"`
	RelationID        string
	State             string // PLANNED, DONE or CANCELLED
	Date              value.Day
	FromParticipation string
	ToParticipation   string
	Shares            int64
	Address           string // JSON of an Address
	OldAddress        string // JSON of an Address
	IdempotencyKey    *string
	Digest            string
	Item              int64
	CreatedAt         time.Time
	EndedAt           *time.Time
}

// accessRow says whether a relation may trade.
type accessRow struct {
	bun.BaseModel `bun:"table:marketplace_access,alias:x"`
	LabelKey      string `bun:",pk"`
	RelationID    string `bun:",pk"`
	State         string
	ChangeID      string
	Email         string
	Locale        string
	At            time.Time
}

// cut is a time as both engines keep it.
func cut(t time.Time) time.Time { return t.UTC().Truncate(time.Microsecond) }
