package account

import (
	"slices"
	"strings"
	"time"

	"github.com/wattle-portal/wattle/core/problem"
)

const messageMax = 5000 // characters of a contact message

// Subject is what a customer writes to customer service about.
type Subject string

// Subjects are the six of the contact form, in the order in which it offers them (2.1-contact-form-subjects).
var Subjects = []Subject{"payments", "products", "usage", "relocation", "suggestion", "other"}

// Contact is one message of a customer to customer service.
type Contact struct {
	ID         string    `json:"id"`
	RelationID string    `json:"relation_id"`
	Subject    Subject   `json:"subject"`
	Message    string    `json:"message"`
	At         time.Time `json:"at"`
}

// CheckContact judges the contact form: subject and message are both required (2.1-contact-form-fields).
func CheckContact(subject Subject, message string) (wrong []problem.FieldError) {
	switch {
	case subject == "":
		wrong = append(wrong, problem.FieldError{Field: "subject", Code: problem.CodeRequired})
	case !slices.Contains(Subjects, subject):
		wrong = append(wrong, problem.FieldError{Field: "subject", Code: problem.CodeInvalid})
	}
	switch n := len([]rune(message)); {
	case strings.TrimSpace(message) == "":
		wrong = append(wrong, problem.FieldError{Field: "message", Code: problem.CodeRequired})
	case n > messageMax:
		wrong = append(wrong, problem.FieldError{Field: "message", Code: problem.CodeTooLong})
	}
	return wrong
}
