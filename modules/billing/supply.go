package billing

// Supply contains the fields of an agreement that siblings need: connections, addresses and period. It has no invoices, prices or payments.
type Supply struct {
	Identifier  string    `json:"agreement_identifier"`
	ID          string    `json:"agreement_identifier_with_sequence" doc:"Id of the agreement"`
	Name        string    `json:"name"`
	CompanyName string    `json:"company_name" doc:"Name of the subsidiary that the agreement is with; empty: none"`
	Status      Status    `json:"status" enum:"ACTIVE,FUTURE,CANCELLED,TERMINATED"`
	Period      Period    `json:"period"`
	Addresses   []Address `json:"addresses" nullable:"false"`
}

// Supply returns the agreement for siblings.
func (a *Agreement) Supply() Supply {
	s := Supply{a.Identifier, a.ID, a.Name, a.CompanyName, a.Status, a.Period, a.Addresses}
	if s.Addresses == nil {
		s.Addresses = []Address{}
	}
	return s
}
