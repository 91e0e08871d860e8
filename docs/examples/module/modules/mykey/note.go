package mykey

import "github.com/wattle-portal/wattle/core/value"

// Note is what a customer enters. To add a field, add it here, on the page, and in messages/nl.json: it is then part of the API and of what
// is stored.
type Note struct {
	Text string `json:"text" minLength:"1" maxLength:"500" doc:"Text of the note"`
}

// SavedNote is a note with what the portal adds.
type SavedNote struct {
	ID  string    `json:"id" doc:"Id of the note"`
	Day value.Day `json:"day" doc:"Day on which it was added"`
	Note
}

// {setting}

// codeFull is the code of a problem, and the id of its text: see texts.ts.
const codeFull = "mykey.full"

// problems contains the English sentences of the codes, for callers of the API and operators.
var problems = map[string]string{codeFull: "the customer has as many notes as the label allows"}

// {/setting}
