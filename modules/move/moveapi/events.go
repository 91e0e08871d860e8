package moveapi

import (
	"github.com/wattle-portal/wattle/core/event"
	"github.com/wattle-portal/wattle/core/value"
)

// Event types that module move publishes.
const (
	EventRequested = "move.requested"
	EventProcessed = "move.processed"
	EventRejected  = "move.rejected"
)

const change = "Id of the change request"

// Events are the events that module move publishes.
var Events = []event.Type{
	event.Of[Requested](EventRequested, change, "A customer requested to move an agreement to another address"),
	event.Of[Decided](EventProcessed, change, "A move was processed"),
	event.Of[Decided](EventRejected, change, "A move was rejected"),
}

// Requested is the data of EventRequested.
type Requested struct {
	Relation string `json:"relation" doc:"Id of the relation"`
	Move     Move   `json:"move" doc:"The move, as filed"`
}

// Decided is the data of EventProcessed and EventRejected.
type Decided struct {
	Relation string `json:"relation" doc:"Id of the relation"`
	Move     Move   `json:"move" doc:"The move, as filed"`
	Reason   string `json:"reason,omitempty" doc:"Reason that staff gave for the decision"`
}

// Move is a filed move, and also the data of its change request.
type Move struct {
	Agreement   string     `json:"agreement_identifier_with_sequence" doc:"Id of the agreement"`
	Commodities []string   `json:"commodities" enum:"ELECTRICITY,GAS" nullable:"false" doc:"Commodities of the agreement at the old address"`
	Old         Address    `json:"old_address" doc:"Address that the customer leaves"`
	New         Address    `json:"new_address" doc:"Address that the customer moves to"`
	Start       value.Day  `json:"start_date" doc:"First day at the new address"`
	Stop        *value.Day `json:"stop_date" nullable:"true" doc:"Last day of delivery at the old address; null: determined by start_date"`
	Residential bool       `json:"is_residential" doc:"Whether somebody lives at the new address"`
	Type        string     `json:"address_type" enum:"INVOICE,SHIPPING" doc:"INVOICE: only invoices are sent to the new address; SHIPPING: the agreement supplies it"`
	NewInvoice  *Address   `json:"new_invoice_address,omitempty" doc:"A copy of new_address, if invoices are to be sent there after the move"`
	NewPostal   *Address   `json:"new_postal_address,omitempty" doc:"A copy of new_address, if letters are to be sent there after the move"`
	Unchecked   bool       `json:"unchecked" doc:"Whether the new address or its connections could not be checked"`
}
