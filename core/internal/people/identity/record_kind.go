package identity

import "github.com/wattle-portal/wattle/core/record"

// JSONTypes implements record.JSONTyper.
func (optionalBool) JSONTypes() []string { return []string{"boolean", "string", "null"} }

// RecordKinds describes the records that Import accepts.
var RecordKinds = []record.Kind{{
	Name: ImportKind, Doc: "A login. The natural key is username. A password is used only for an account without one. " +
		"Of an existing account a record changes only the fields that it has: one with username and disabled is enough.",
	Fields: loginRecord{}, Required: []string{"username"},
	Values:  map[string][]string{"role": {Customer, Staff, ImpersonatorRole}, "locale": {"nl", "en"}},
	Example: `{"username":"f.de.vries","email":"f.de.vries@voorbeeld.example","name":"F. de Vries","debtor_number":"10001","role":"customer","locale":"nl"}`,
}}
