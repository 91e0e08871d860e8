package billing

// Supply contains the fields of an agreement that siblings need: connections, addresses and period. It does not contain invoices, prices or
// payments.
type Supply struct {
	Identifier  string    `json:"agreement_identifier" doc:"Identifier of the agreement without its sequence, as customers see it"`
	ID          string    `json:"agreement_identifier_with_sequence" doc:"Id of the agreement"`
	Name        string    `json:"name" doc:"Name of the agreement, such as the name of its product"`
	CompanyName string    `json:"company_name" doc:"Name of the subsidiary that the agreement is with; empty: none"`
	Status      Status    `json:"status" enum:"ACTIVE,FUTURE,CANCELLED,TERMINATED" doc:"State of the agreement in the back office"`
	Period      Period    `json:"period" doc:"Days on which the agreement applies"`
	Addresses   []Address `json:"addresses" nullable:"false" doc:"Addresses of the agreement, with their connections"`
}

// Supply returns the agreement for siblings.
func (a *Agreement) Supply() Supply {
	s := Supply{a.Identifier, a.ID, a.Name, a.CompanyName, a.Status, a.Period, a.Addresses}
	if s.Addresses == nil {
		s.Addresses = []Address{}
	}
	return s
}
