package account

import "github.com/wattle-portal/wattle/core/record"

// recordKinds describes the records of an import.
var recordKinds = []record.Kind{{
	Name: kindRelation, Doc: "A customer of the label: a person, a company or both. The natural key is debtor_number.",
	Fields: Relation{}, Required: []string{"debtor_number"},
	Example: `{"debtor_number":"10001","relation_since":"2020-01-31","initials":"F.","prefix":"de","last_name":"Vries","email":"f.de.vries@voorbeeld.example",
		"phone_number":"0612345678","salutation":"MRS","addresses":[{"address_type":"INVOICE","street":"Molenweg","house_number":"12","house_number_extension":"A",
		"zip_code":"1234AB","city":"Delft"}]}`,
}}
