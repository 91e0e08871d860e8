package move

import "slices"

// Agreement is what is known here of an agreement of the customer; it is module billing's.
type Agreement struct {
	ID          string            `json:"agreement_identifier_with_sequence"`
	Name        string            `json:"name"`
	CompanyName string            `json:"company_name"`
	Status      string            `json:"status"`
	Addresses   []DeliveryAddress `json:"addresses" doc:"Those of another type than SHIPPING are passed over"`
}

// DeliveryAddress is where an agreement delivers.
type DeliveryAddress struct {
	Type string `json:"address_type"` // INVOICE: only post goes there; empty is SHIPPING
	Address
	Connections []Connection `json:"connections"`
}

// ended reports whether an agreement is over, or never came to be.
func (a Agreement) ended() bool { return a.Status == "TERMINATED" || a.Status == "CANCELLED" }

// at is the address of an agreement that has a key; nil when it delivers elsewhere.
func (a Agreement) at(key string) *DeliveryAddress {
	i := slices.IndexFunc(a.Addresses, func(d DeliveryAddress) bool { return d.delivers() && d.Key() == key })
	if i < 0 {
		return nil
	}
	return &a.Addresses[i]
}

// delivers reports whether energy goes to an address, and not invoices only.
func (d DeliveryAddress) delivers() bool { return d.Type != invoiceAddress }

const invoiceAddress = "INVOICE"

// CheckAgreement says what keeps an agreement from being moved online: it has ended (2.2-exclude-ended), it is a daughter
// company's (2.2-exclude-daughter), or it delivers to several addresses, or to none that is known (2.2-offline-multi-address).
func CheckAgreement(a Agreement) []string {
	places := map[string]bool{}
	for _, d := range a.Addresses {
		if d.delivers() {
			places[d.Key()] = true
		}
	}
	switch {
	case a.ended():
		return []string{codeAgreementEnded}
	case a.CompanyName != "":
		return []string{codeAgreementDaughter}
	case len(places) != 1:
		return []string{codeBadSituation}
	}
	return nil
}

// CheckNewAddress refuses a new address at which the customer has an agreement already that has not ended
// (2.2-offline-existing-agreement); the old address is such a one.
func CheckNewAddress(key string, all []Agreement) []string {
	if slices.ContainsFunc(all, func(a Agreement) bool { return !a.ended() && a.at(key) != nil }) {
		return []string{codeExistingAgreement}
	}
	return nil
}

// Choose finds the agreement that a request means: the one that it names, or else the only one that can be moved of those that
// deliver to the old address. The code says why there is none.
func Choose(all []Agreement, id, oldAddress string) (_ *Agreement, field, code string) {
	const named = "agreement_identifier_with_sequence"
	if id != "" {
		i := slices.IndexFunc(all, func(a Agreement) bool { return a.ID == id })
		switch {
		case i < 0:
			return nil, named, codeAgreementUnknown
		case all[i].at(oldAddress) == nil:
			return nil, "old_address", codeAgreementUnknown
		}
		for _, code := range CheckAgreement(all[i]) {
			return nil, named, code
		}
		return &all[i], "", ""
	}
	why, found := codeAgreementUnknown, []*Agreement{}
	for i := range all {
		if all[i].at(oldAddress) == nil {
			continue
		}
		if wrong := CheckAgreement(all[i]); wrong != nil {
			why = wrong[0]
			continue
		}
		found = append(found, &all[i])
	}
	switch len(found) {
	case 0:
		return nil, "old_address", why
	case 1:
		return found[0], "", ""
	}
	return nil, named, codeRequired
}
