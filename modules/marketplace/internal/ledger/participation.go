package ledger

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
