package ledger

// Participation is a number of shares of one project, held by one relation at one address. Its balance, Sequence and Hash are those
// after its newest entry: what a caller sets them to is not stored.
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
	Document                string // JSON of the marketplace's: address, supplier, EAN and the like
}
