package account

import (
	"slices"
	"strings"
	"time"

	"github.com/wattle-portal/wattle/core/problem"
)

const maxMessage = 5000 // characters of a contact message

// Subject is the subject of a message to customer service.
type Subject string

// Subjects are the subjects of the contact form, in its order (2.1-contact-form-subjects).
var Subjects = []Subject{"payments", "products", "usage", "relocation", "suggestion", "other"}

// Contact is a customer's message to customer service.
type Contact struct {
	ID         string    `json:"id" doc:"Id of the message"`
	RelationID string    `json:"relation_id" doc:"Id of the relation that sent it"`
	Subject    Subject   `json:"subject" doc:"Subject that the customer chose on the contact form"`
	Message    string    `json:"message" doc:"Text of the customer, at most 5000 characters"`
	At         time.Time `json:"at" doc:"Time of the message"`
}

// CheckContact validates the contact form: subject and message are required (2.1-contact-form-fields).
func CheckContact(subject Subject, message string) (fieldErrors []problem.FieldError) {
	switch {
	case subject == "":
		fieldErrors = append(fieldErrors, problem.FieldError{Field: "subject", Code: problem.CodeRequired})
	case !slices.Contains(Subjects, subject):
		fieldErrors = append(fieldErrors, problem.FieldError{Field: "subject", Code: problem.CodeInvalid})
	}
	switch n := len([]rune(message)); {
	case strings.TrimSpace(message) == "":
		fieldErrors = append(fieldErrors, problem.FieldError{Field: "message", Code: problem.CodeRequired})
	case n > maxMessage:
		fieldErrors = append(fieldErrors, problem.FieldError{Field: "message", Code: problem.CodeTooLong})
	}
	return fieldErrors
}
