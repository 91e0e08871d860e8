package marketplace

import (
	"time"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
)

// projectRow is a project as it is stored.
type projectRow struct {
	bun.BaseModel `bun:"table:marketplace_projects,alias:pr"`
	LabelKey      string `bun:",pk"`
	ProjectCode   string `bun:",pk"`
	ProjectName   string
	Document      string // JSON of the project
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
	Status         state.Status
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
