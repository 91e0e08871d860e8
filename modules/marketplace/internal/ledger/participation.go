package ledger

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// Participation is a number of shares of one project, owned by one relation at one address. Its balance, Sequence and Hash are those
// after its newest entry: values that a caller sets are not stored.
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
	Document                string // JSON of package participation: address, supplier, EAN and the like
}

// sealed returns the hash of what never changes of a participation: whose shares of what it has.
func (p Participation) sealed() string {
	data, err := json.Marshal([]string{p.LabelKey, p.ID, p.RelationID, p.ParticipationIdentifier, p.ProjectCode})
	if err != nil {
		panic(fmt.Sprintf("marketplace: a participation has no canonical form: %v", err)) // strings always encode
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
