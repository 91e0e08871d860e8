package ledger

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// Participation is a number of shares of one project, owned by one relation at one address. Its balance, Sequence and Hash are those after
// its newest entry; values that a caller sets are not stored.
type Participation struct {
	LabelKey                string `bun:",pk"`
	ID                      string `bun:",pk"`
	RelationID              string
	ParticipationIdentifier string
	ProviderIdentifier      string
	ProjectCode             string
	AddressKey              string
	Balance                 `bun:",embed"`
	Sequence                int64
	Hash                    string
	Document                string // JSON of participation.Document: address, supplier, EAN and others
}

// sealed returns the hash of the fields that never change, such as the relation and the project.
func (p Participation) sealed() string {
	data, err := json.Marshal([]string{p.LabelKey, p.ID, p.RelationID, p.ParticipationIdentifier, p.ProjectCode})
	if err != nil {
		panic(fmt.Sprintf("marketplace: a participation has no canonical form: %v", err)) // encoding strings never fails
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
