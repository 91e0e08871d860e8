package notifications

import "github.com/wattle-portal/wattle/core/record"

// JSONTypes implements record.JSONTyper: a string for both languages, or an object with nl and en.
func (recordText) JSONTypes() []string { return []string{"string", "object"} }

// recordKinds describes the records of an import.
var recordKinds = []record.Kind{{
	Name: kindNotification, Doc: "A notification that was sent before the portal: to all, to the participants of a project, or to one customer. The natural key is id.",
	Fields: notificationRecord{}, Required: []string{"id", "title", "message", "published"},
	Values:  map[string][]string{"kind": record.Texts(kinds), "read": {"true", "false"}},
	Example: `{"id":"2026-01","debtor_number":"10001","title":"Onderhoud","message":"<p>De molen staat een dag stil.</p>","published":"2026-01-02T09:00:00+01:00","read":"true"}`,
}}
