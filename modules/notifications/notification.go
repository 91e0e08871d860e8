package notifications

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/wattle-portal/wattle/core/problem"
)

// Notification is a notification for its reader (3-notification-fields).
type Notification struct {
	ID        string    `json:"id" doc:"Id of the notification"`
	Kind      Kind      `json:"kind" enum:"project,news,market,security,contract,payment" doc:"Kind of the notification"`
	Title     string    `json:"title" doc:"Title in the language of the call"`
	Message   string    `json:"message" doc:"Sanitized HTML"`
	Preview   string    `json:"preview" doc:"Plain text, at most 100 characters"`
	Projects  []string  `json:"projects" nullable:"false" doc:"Names of the projects that the notification is about"`
	Codes     []string  `json:"project_codes" nullable:"false" doc:"Codes of these projects"`
	Published time.Time `json:"publication_date_time" doc:"Time of publication, with the offset of the label's time zone"`
	Read      bool      `json:"read" doc:"Whether the customer has read it"`
}

// AudienceKind is the kind of an audience.
type AudienceKind string

// Audiences. The readers of ToAll and ToProject are not stored: they are the customers, or participants, at the time of publication.
const (
	ToAll       AudienceKind = "all"
	ToProject   AudienceKind = "project"
	ToSelection AudienceKind = "selection"
)

// Audience defines the readers of a notification.
type Audience struct {
	Kind      AudienceKind `json:"kind" enum:"all,project,selection" doc:"all: every customer; project: participants of a project; selection: customers by debtor number"`
	Project   string       `json:"project,omitempty" maxLength:"64" doc:"Project code: its participants are the audience; for a selection, the subject"`
	Relations []string     `json:"relations,omitempty" doc:"Debtor numbers of a selection, at most 5000"`
}

// Limits of a draft.
const (
	maxTitle     = 120    // characters
	maxMessage   = 20_000 // characters of HTML
	maxSelection = 5000
	maxReported  = 20 // unknown debtor numbers in a response
)

var (
	keyPattern     = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$`)
	projectPattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)
	debtorPattern  = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)
)

// Draft is the content and audience of a notification.
type Draft struct {
	Title    Text     `json:"title" doc:"At most 120 characters"`
	Message  Text     `json:"message" doc:"HTML, at most 20,000 characters; other tags than those for text and links are removed"`
	Kind     Kind     `json:"kind" enum:"project,news,market,security,contract,payment" doc:"Kind of the notification"`
	Audience Audience `json:"audience" doc:"Who reads it"`
}

// cleaned returns the draft as it is stored.
func (d Draft) cleaned() Draft {
	d.Title, d.Message = d.Title.each(line), d.Message.each(clean)
	d.Audience.Project = strings.TrimSpace(d.Audience.Project)
	var numbers []string
	if d.Audience.Kind == ToSelection {
		for _, n := range d.Audience.Relations {
			numbers = append(numbers, strings.TrimSpace(n))
		}
	}
	d.Audience.Relations = numbers
	if d.Audience.Kind == ToAll {
		d.Audience.Project = ""
	}
	return d
}

// checkLength returns errors for fields that are too long.
func (d Draft) checkLength() (fieldErrors []problem.FieldError) {
	for _, t := range []struct {
		locale, title, message string
	}{{"nl", d.Title.NL, d.Message.NL}, {"en", d.Title.EN, d.Message.EN}} {
		if utf8.RuneCountInString(t.title) > maxTitle {
			fieldErrors = append(fieldErrors, problem.FieldError{Field: "title." + t.locale, Code: problem.CodeTooLong})
		}
		if utf8.RuneCountInString(t.message) > maxMessage {
			fieldErrors = append(fieldErrors, problem.FieldError{Field: "message." + t.locale, Code: codeMessageTooLong})
		}
	}
	if len(d.Audience.Relations) > maxSelection {
		fieldErrors = append(fieldErrors, problem.FieldError{Field: "audience.relations", Code: codeManyRecipients})
	}
	return fieldErrors
}

// checkAudience returns the audience errors of a cleaned draft.
func (d Draft) checkAudience() (fieldErrors []problem.FieldError) {
	a := d.Audience
	switch {
	case a.Project == "" && a.Kind == ToProject:
		fieldErrors = append(fieldErrors, problem.FieldError{Field: "audience.project", Code: problem.CodeRequired})
	case a.Project != "" && !projectPattern.MatchString(a.Project):
		fieldErrors = append(fieldErrors, problem.FieldError{Field: "audience.project", Code: codeUnknownProject})
	}
	for i, n := range a.Relations {
		if !debtorPattern.MatchString(n) && len(fieldErrors) < maxReported {
			fieldErrors = append(fieldErrors, unknownCustomer(i))
		}
	}
	return fieldErrors
}

// unknownCustomer returns the error for a debtor number without a customer.
func unknownCustomer(i int) problem.FieldError {
	return problem.FieldError{Field: fmt.Sprintf("audience.relations.%d", i), Code: codeUnknownCustomer}
}

// checkText returns errors for missing texts of a cleaned draft.
func (d Draft) checkText() (fieldErrors []problem.FieldError) {
	for _, t := range []struct {
		locale, title, message string
	}{{"nl", d.Title.NL, d.Message.NL}, {"en", d.Title.EN, d.Message.EN}} {
		if t.title == "" {
			fieldErrors = append(fieldErrors, problem.FieldError{Field: "title." + t.locale, Code: problem.CodeRequired})
		}
		if len(paragraphs(t.message, false)) == 0 {
			fieldErrors = append(fieldErrors, problem.FieldError{Field: "message." + t.locale, Code: codeMessageEmpty})
		}
	}
	return fieldErrors
}

// checkDate returns an error if the time of publication is in the past. nil means now.
func checkDate(at *time.Time, now time.Time) []problem.FieldError {
	if at != nil && at.Before(now) {
		return []problem.FieldError{{Field: "publish_at", Code: codeDatePassed}}
	}
	return nil
}

// digestOf returns a hash of a request, to compare requests with the same id.
func digestOf(request any) string {
	text, _ := json.Marshal(request) // strings, booleans and times always encode
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
