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
