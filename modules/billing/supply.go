package billing

// Supply is what siblings need of an agreement: which connections it supplies where, and from when until when. Its invoices, prices
// and payment are not read for it.
type Supply struct {
	Identifier  string    `json:"agreement_identifier"`
	ID          string    `json:"agreement_identifier_with_sequence"`
	Name        string    `json:"name"`
	CompanyName string    `json:"company_name" doc:"Filled: the agreement is with this daughter company"`
	Status      Status    `json:"status" enum:"ACTIVE,FUTURE,CANCELLED,TERMINATED"`
	Period      Period    `json:"period"`
	Addresses   []Address `json:"addresses" nullable:"false"`
}

// Supply is the agreement as siblings see it.
func (a *Agreement) Supply() Supply {
	s := Supply{a.Identifier, a.ID, a.Name, a.CompanyName, a.Status, a.Period, a.Addresses}
	if s.Addresses == nil {
		s.Addresses = []Address{}
	}
	return s
}
