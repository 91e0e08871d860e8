package move

import "slices"

// Agreement is an agreement of the customer, with the fields that this module uses. Module billing stores agreements.
type Agreement struct {
	ID          string            `json:"agreement_identifier_with_sequence"`
	Name        string            `json:"name"`
	CompanyName string            `json:"company_name"`
	Status      string            `json:"status"`
	Addresses   []DeliveryAddress `json:"addresses" doc:"Addresses; those of type INVOICE are ignored"`
}

// DeliveryAddress is an address of an agreement.
type DeliveryAddress struct {
	Type string `json:"address_type"` // INVOICE: used only for invoices; empty means SHIPPING
	Address
	Connections []Connection `json:"connections"`
}

// hasEnded reports whether an agreement has ended or was canceled.
func (a Agreement) hasEnded() bool { return a.Status == "TERMINATED" || a.Status == "CANCELLED" }

// addressAt returns the delivery address with a key, or nil.
func (a Agreement) addressAt(key string) *DeliveryAddress {
	i := slices.IndexFunc(a.Addresses, func(d DeliveryAddress) bool { return d.delivers() && d.Key() == key })
	if i < 0 {
		return nil
	}
	return &a.Addresses[i]
}

// delivers reports whether energy is delivered to the address.
func (d DeliveryAddress) delivers() bool { return d.Type != invoiceAddress }

const invoiceAddress = "INVOICE"

// CheckAgreement returns the reason why an agreement cannot be moved online: it has ended (2.2-exclude-ended), it belongs to a subsidiary
// (2.2-exclude-daughter), or it does not have exactly one delivery address (2.2-offline-multi-address).
func CheckAgreement(a Agreement) []string {
	keys := map[string]bool{}
	for _, d := range a.Addresses {
		if d.delivers() {
			keys[d.Key()] = true
		}
	}
	switch {
	case a.hasEnded():
		return []string{codeAgreementEnded}
	case a.CompanyName != "":
		return []string{codeAgreementDaughter}
	case len(keys) != 1:
		return []string{codeBadSituation}
	}
	return nil
}

// CheckNewAddress refuses a new address where the customer already has an agreement that has not ended (2.2-offline-existing-agreement).
// The old address is refused too.
func CheckNewAddress(key string, all []Agreement) []string {
	if slices.ContainsFunc(all, func(a Agreement) bool { return !a.hasEnded() && a.addressAt(key) != nil }) {
		return []string{codeExistingAgreement}
	}
	return nil
}

// Choose returns the agreement of a request: the one with the given id, or without an id the only agreement at the old address that can be
// moved. Otherwise it returns the invalid field and the problem code.
func Choose(all []Agreement, id, oldAddress string) (_ *Agreement, field, code string) {
	const idField = "agreement_identifier_with_sequence"
	if id != "" {
		i := slices.IndexFunc(all, func(a Agreement) bool { return a.ID == id })
		switch {
		case i < 0:
			return nil, idField, codeAgreementUnknown
		case all[i].addressAt(oldAddress) == nil:
			return nil, "old_address", codeAgreementUnknown
		}
		for _, code := range CheckAgreement(all[i]) {
			return nil, idField, code
		}
		return &all[i], "", ""
	}
	why, found := codeAgreementUnknown, []*Agreement{}
	for i := range all {
		if all[i].addressAt(oldAddress) == nil {
			continue
		}
		if codes := CheckAgreement(all[i]); codes != nil {
			why = codes[0]
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
	return nil, idField, codeRequired
}
