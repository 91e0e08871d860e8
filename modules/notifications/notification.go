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

// Notification is one as its reader gets it (3-notification-fields).
type Notification struct {
	ID        string    `json:"id"`
	Kind      Kind      `json:"kind" enum:"project,news,market,security,contract,payment"`
	Title     string    `json:"title"`
	Message   string    `json:"message" doc:"Sanitised HTML"`
	Preview   string    `json:"preview" doc:"Plain text, 100 characters at most"`
	Projects  []string  `json:"projects" nullable:"false" doc:"Names of the projects that it is about"`
	Codes     []string  `json:"project_codes" nullable:"false"`
	Published time.Time `json:"publication_date_time" doc:"With the offset of the label's zone"`
	Read      bool      `json:"read"`
}

// AudienceKind says whom a notification is for.
type AudienceKind string

// Audiences. Those to all and to a project are kept as such: who was a customer or took part when it was published reads it.
const (
	ToAll       AudienceKind = "all"
	ToProject   AudienceKind = "project"
	ToSelection AudienceKind = "selection"
)

// Audience is whom a notification is for.
type Audience struct {
	Kind      AudienceKind `json:"kind" enum:"all,project,selection"`
	Project   string       `json:"project,omitempty" maxLength:"64" doc:"Code of the project whose participants it is for; with a selection: that it is about"`
	Relations []string     `json:"relations,omitempty" doc:"Debtor numbers of a selection, 5000 at most"`
}

// Bounds of what is sent.
const (
	maxTitle     = 120    // characters
	maxMessage   = 20_000 // characters of HTML
	maxSelection = 5000
	maxReported  = 20 // unknown debtor numbers that an answer names
)

var (
	keyPattern     = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$`)
	projectPattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)
	debtorPattern  = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)
)

// Draft is what staff or a back office want to send.
type Draft struct {
	Title    Text     `json:"title" doc:"120 characters at most"`
	Message  Text     `json:"message" doc:"HTML, 20,000 characters at most; what is not allowed is left out"`
	Kind     Kind     `json:"kind" enum:"project,news,market,security,contract,payment"`
	Audience Audience `json:"audience"`
}

// cleaned is the draft as it is stored.
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

// checkLength says what of a draft is too long, before anything is done with it.
func (d Draft) checkLength() (wrong []problem.FieldError) {
	for _, t := range []struct {
		locale, title, message string
	}{{"nl", d.Title.NL, d.Message.NL}, {"en", d.Title.EN, d.Message.EN}} {
		if utf8.RuneCountInString(t.title) > maxTitle {
			wrong = append(wrong, problem.FieldError{Field: "title." + t.locale, Code: problem.CodeTooLong})
		}
		if utf8.RuneCountInString(t.message) > maxMessage {
			wrong = append(wrong, problem.FieldError{Field: "message." + t.locale, Code: codeMessageTooLong})
		}
	}
	if len(d.Audience.Relations) > maxSelection {
		wrong = append(wrong, problem.FieldError{Field: "audience.relations", Code: codeManyRecipients})
	}
	return wrong
}

// checkAudience says what is wrong with whom a cleaned draft is for.
func (d Draft) checkAudience() (wrong []problem.FieldError) {
	a := d.Audience
	switch {
	case a.Project == "" && a.Kind == ToProject:
		wrong = append(wrong, problem.FieldError{Field: "audience.project", Code: problem.CodeRequired})
	case a.Project != "" && !projectPattern.MatchString(a.Project):
		wrong = append(wrong, problem.FieldError{Field: "audience.project", Code: codeUnknownProject})
	}
	for i, n := range a.Relations {
		if !debtorPattern.MatchString(n) && len(wrong) < maxReported {
			wrong = append(wrong, unknownCustomer(i))
		}
	}
	return wrong
}

// unknownCustomer says that nobody has a debtor number of a selection.
func unknownCustomer(i int) problem.FieldError {
	return problem.FieldError{Field: fmt.Sprintf("audience.relations.%d", i), Code: codeUnknownCustomer}
}

// checkWords says what is missing of a cleaned draft.
func (d Draft) checkWords() (wrong []problem.FieldError) {
	for _, t := range []struct {
		locale, title, message string
	}{{"nl", d.Title.NL, d.Message.NL}, {"en", d.Title.EN, d.Message.EN}} {
		if t.title == "" {
			wrong = append(wrong, problem.FieldError{Field: "title." + t.locale, Code: problem.CodeRequired})
		}
		if len(paragraphs(t.message, false)) == 0 {
			wrong = append(wrong, problem.FieldError{Field: "message." + t.locale, Code: codeMessageEmpty})
		}
	}
	return wrong
}

// checkDate says whether a time to publish is yet to come; nil is at once.
func checkDate(at *time.Time, now time.Time) []problem.FieldError {
	if at != nil && at.Before(now) {
		return []problem.FieldError{{Field: "publish_at", Code: codeDatePassed}}
	}
	return nil
}

// digestOf tells one request from another under the same id.
func digestOf(request any) string {
	text, _ := json.Marshal(request) // strings, truths and times
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
