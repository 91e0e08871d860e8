package notifications

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/notifications/notificationsapi"
)

// Sent is a notification for staff and back offices.
type Sent struct {
	ID         string       `json:"id" doc:"Id of the notification"`
	State      string       `json:"state" enum:"planned,sent" doc:"planned: not published yet"`
	Kind       Kind         `json:"kind" enum:"project,news,market,security,contract,payment" doc:"Kind of the notification"`
	Title      Text         `json:"title" doc:"Title in both languages"`
	Message    Text         `json:"message" doc:"Sanitized HTML"`
	Preview    Text         `json:"preview" doc:"Beginning of the message in both languages: plain text, at most 100 characters"`
	Audience   SentAudience `json:"audience" doc:"Who reads it"`
	PublishAt  time.Time    `json:"publish_at" doc:"Time of publication, with the offset of the label's time zone"`
	Created    time.Time    `json:"created" doc:"Time of creation, to the minute"`
	Imported   bool         `json:"imported" doc:"Whether it was imported"`
	Mail       bool         `json:"mail" doc:"Whether it is also mailed to customers who want mails of its kind"`
	Recipients *int64       `json:"recipients" nullable:"true" doc:"Number of recipients, counted at creation and again at publication; null: imported"`
	Mails      int64        `json:"mails" doc:"Number of mails sent so far"`
	Read       int64        `json:"read" doc:"Number of customers who have read it"`
}

// SentAudience is the audience of a notification.
type SentAudience struct {
	Kind        AudienceKind `json:"kind" enum:"all,project,selection" doc:"all: every customer; project: participants of a project; selection: customers by debtor number"`
	Project     string       `json:"project,omitempty" doc:"Code of the project; absent: none"`
	ProjectName string       `json:"project_name,omitempty" doc:"Name of the project; absent: none"`
}

// States of a notification.
const (
	statePlanned = "planned"
	stateSent    = "sent"
)

func (s *service) sent(row *notificationRow, read int64, now time.Time, zone *time.Location) Sent {
	nl, en := s.clean.clean(row.MessageNL), s.clean.clean(row.MessageEN)
	out := Sent{ID: row.ID, State: stateSent, Kind: row.Kind, Title: row.title(), Message: Text{nl.html, en.html},
		Preview:  Text{nl.preview, en.preview},
		Audience: SentAudience{row.Audience, row.ProjectCode, row.ProjectName}, PublishAt: row.PublishAt.In(zone),
		Created:  row.CreatedAt.In(zone).Truncate(time.Minute),
		Imported: row.Imported, Mail: row.Mail, Recipients: row.Recipients, Mails: row.Mails, Read: read}
	if row.PublishAt.After(now) {
		out.State = statePlanned
	}
	return out
}

type sentInput struct {
	State string `query:"state" enum:"planned,sent" default:"sent" doc:"planned: soonest first; sent: newest first"`
	After string `query:"after" maxLength:"200" doc:"The value of next on the previous page"`
}

type sentAnswer struct {
	Body struct {
		Items []Sent `json:"items" nullable:"false" doc:"Notifications: planned ones soonest first, sent ones newest first"`
		Next  string `json:"next,omitempty" doc:"Value of after for the next page; absent on the last page"`
	}
}

// staffPage is the number of notifications on a page for staff.
const staffPage = 50

// place identifies the last notification on a page for staff.
type place struct {
	at time.Time
	id string
}

func (p place) String() string { return p.at.UTC().Format(time.RFC3339Nano) + "_" + p.id }

func readPlace(s string) (p place, err error) {
	if s == "" {
		return p, nil
	}
	at, id, ok := strings.Cut(s, "_")
	if p.at, err = time.Parse(time.RFC3339Nano, at); err != nil || !ok || !keyPattern.MatchString(id) {
		return p, problem.Refuse(problem.FieldError{Field: "after", Code: problem.CodeInvalid})
	}
	p.id = id
	return p, nil
}

func (s *service) listSent(ctx context.Context, in *sentInput) (*sentAnswer, error) {
	after, err := readPlace(in.After)
	if err != nil {
		return nil, err
	}
	now := s.now()
	rows, err := sentRows(ctx, s.host.DB, in.State == statePlanned, after, now, staffPage+1)
	if err != nil {
		return nil, err
	}
	out := &sentAnswer{}
	if len(rows) > staffPage {
		rows = rows[:staffPage]
		last := rows[staffPage-1]
		out.Body.Next = place{last.PublishAt, last.ID}.String()
	}
	read, err := readCounts(ctx, s.host.DB, rows)
	out.Body.Items = make([]Sent, len(rows))
	for i := range rows {
		out.Body.Items[i] = s.sent(&rows[i], read[rows[i].ID], now, zoneOf(ctx))
	}
	return out, err
}

// Preview is a draft as it will be shown, with the number of its recipients.
type Preview struct {
	Title      Text `json:"title" doc:"Title in both languages"`
	Message    Text `json:"message" doc:"Sanitized HTML"`
	Preview    Text `json:"preview" doc:"Beginning of the message in both languages: plain text, at most 100 characters"`
	Recipients int  `json:"recipients" doc:"Number of customers for whom it is, whatever they show in the portal"`
	Mails      int  `json:"mails" doc:"Number of customers who also get it by mail, if it is mailed"`
}

type previewInput struct{ Body Draft }

type previewAnswer struct{ Body Preview }

// previewNotification stores nothing. It refuses texts that are too long and unknown audiences, but not missing texts.
func (s *service) previewNotification(ctx context.Context, in *previewInput) (*previewAnswer, error) {
	if _, err := withInbox(ctx); err != nil {
		return nil, err
	}
	if err := problem.Refuse(in.Body.checkLength()...); err != nil {
		return nil, err
	}
	d := in.Body.cleaned()
	if err := problem.Refuse(d.checkAudience()...); err != nil {
		return nil, err
	}
	to, err := s.reach(ctx, d.Kind, d.Audience, s.now())
	return &previewAnswer{Preview{Title: d.Title, Message: d.Message, Preview: d.Message.each(preview), Recipients: to.recipients,
		Mails: to.mails}}, err
}

// Order is a request to send a notification.
type Order struct {
	Draft
	ID        string     `json:"id" minLength:"1" maxLength:"64" doc:"Id from the caller; a repeated request with the same id sends nothing"`
	PublishAt *time.Time `json:"publish_at" required:"false" nullable:"true" doc:"Time of publication; null: now"`
	Mail      bool       `json:"mail" doc:"Whether to mail it to customers who want mails of its kind"`
}

type sendInput struct{ Body Order }

type sendAnswer struct{ Body Sent }

// sendNotification stores a notification for all its readers. Its readers are determined at its publication; emails are sent after that.
func (s *service) sendNotification(ctx context.Context, in *sendInput) (*sendAnswer, error) {
	o, label, now := in.Body, module.Label(ctx, "staff write to all customers"), s.now()
	if _, err := withInbox(ctx); err != nil {
		return nil, err
	}
	if !keyPattern.MatchString(o.ID) {
		return nil, problem.Refuse(problem.FieldError{Field: "id", Code: problem.CodeInvalid})
	}
	id, digest := value.StableID(label.Key(), "notification", o.ID), digestOf(o)
	if sent, err := s.sentAlready(ctx, id, digest, now); err != nil || sent != nil {
		return sent, err
	}
	if err := problem.Refuse(o.checkLength()...); err != nil {
		return nil, err
	}
	d := o.cleaned()
	if err := problem.Refuse(append(append(d.checkText(), d.checkAudience()...), checkDate(o.PublishAt, now)...)...); err != nil {
		return nil, err
	}
	row := &notificationRow{LabelKey: label.Key(), ID: id, Kind: d.Kind, TitleNL: d.Title.NL, TitleEN: d.Title.EN, MessageNL: d.Message.NL,
		MessageEN: d.Message.EN, Audience: d.Audience.Kind, ProjectCode: d.Audience.Project, PublishAt: now, CreatedAt: now,
		CreatedBy: module.ScopeOf(ctx).Actor, Digest: digest, Mail: o.Mail}
	event := module.Event{Type: notificationsapi.EventPublished, Key: id}
	if o.PublishAt != nil {
		row.PublishAt = o.PublishAt.UTC().Truncate(precision)
		event.Due = row.PublishAt
	}
	row.AudienceAt = row.PublishAt
	to, err := s.reach(ctx, d.Kind, d.Audience, row.AudienceAt)
	if err != nil {
		return nil, err
	}
	if to.recipients == 0 {
		return nil, problem.Refuse(problem.FieldError{Field: "audience", Code: codeNoRecipients})
	}
	n := int64(to.recipients)
	row.ProjectName, row.Recipients = to.project, &n
	if event.Data, err = publishedData(row); err != nil {
		return nil, err
	}
	stored := false
	err = s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		if stored, err = insertNotification(ctx, tx, row, to.relations); err != nil || !stored {
			return err
		}
		return tx.Publish(ctx, event)
	})
	if err != nil {
		return nil, err
	}
	if !stored { // a concurrent call stored the same id
		return s.sentAlready(ctx, id, digest, now)
	}
	return &sendAnswer{s.sent(row, 0, now, zoneOf(ctx))}, nil
}

// sentAlready returns the notification that an earlier call stored with the same id, or nil. It returns 422 if the request differed.
func (s *service) sentAlready(ctx context.Context, id, digest string, now time.Time) (*sendAnswer, error) {
	row, err := notificationBy(ctx, s.host.DB, id)
	if errors.Is(err, problem.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if row.Digest != digest {
		return nil, problem.Fail(http.StatusUnprocessableEntity, codeKeyReused)
	}
	return &sendAnswer{s.sent(row, 0, now, zoneOf(ctx))}, nil
}

// withdrawNotification deletes a planned notification. It returns 409 once the notification is published.
func (s *service) withdrawNotification(ctx context.Context, in *idInput) (*struct{}, error) {
	if _, err := notificationBy(ctx, s.host.DB, in.ID); err != nil {
		return nil, err
	}
	return nil, s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		deleted, err := deletePlanned(ctx, tx, in.ID, s.now())
		if err == nil && !deleted {
			err = problem.Fail(http.StatusConflict, codeSentAlready)
		}
		return err
	})
}

// reach is the set of recipients of a notification.
type reach struct {
	project    string   // name of the project
	relations  []string // in a selection
	recipients int
	mails      int // recipients with an email address who want emails of the kind
}

// reach counts the recipients of a notification at a given time. It returns 400 for an unknown project or customer.
func (s *service) reach(ctx context.Context, k Kind, a Audience, at time.Time) (out reach, err error) {
	if a.Project != "" {
		p, err := s.participantsOf(ctx, a.Project, at, "")
		if errors.Is(err, problem.ErrNotFound) {
			return out, problem.Refuse(problem.FieldError{Field: "audience.project", Code: codeUnknownProject})
		}
		if err != nil {
			return out, err
		}
		out.project, out.recipients = p.ProjectName, int(p.Total)
	}
	switch a.Kind {
	case ToAll:
		return s.reachAll(ctx, k, out)
	case ToSelection:
		if out.relations, err = s.selection(ctx, a.Relations); err != nil {
			return out, err
		}
		out.recipients = len(out.relations)
		for from := 0; from < len(out.relations) && err == nil; from += page {
			err = s.addMails(ctx, k, out.relations[from:min(from+page, len(out.relations))], &out)
		}
		return out, err
	}
	for after := ""; ; {
		p, err := s.participantsOf(ctx, a.Project, at, after)
		if err != nil {
			return out, err
		}
		if err := s.addMails(ctx, k, p.Relations, &out); err != nil || len(p.Relations) < page {
			return out, err
		}
		after = p.Relations[page-1]
	}
}

func (s *service) addMails(ctx context.Context, k Kind, relations []string, to *reach) error {
	boxes, err := s.mailboxes(ctx, relations)
	if err == nil {
		boxes, err = s.mailRecipients(ctx, k, boxes)
	}
	to.mails += len(boxes)
	return err
}

// reachAll counts all customers. For their emails it reads only the customers whose preference differs from the default, because a label
// can have very many customers.
func (s *service) reachAll(ctx context.Context, k Kind, out reach) (reach, error) {
	all, err := s.customers(ctx)
	if err != nil {
		return out, err
	}
	set, err := module.Settings[Settings](ctx)
	if err != nil {
		return out, err
	}
	out.recipients, out.mails = int(all.Relations), int(all.Mailboxes)
	if k.isFixed() {
		return out, nil
	}
	byDefault, others := preferenceOf(set, k).Mail, 0
	for after := ""; ; {
		relations, err := relationsWithMail(ctx, s.host.DB, k, !byDefault, after, page)
		if err != nil {
			return out, err
		}
		boxes, err := s.mailboxes(ctx, relations)
		if err != nil {
			return out, err
		}
		if others += len(boxes); len(relations) < page {
			break
		}
		after = relations[page-1]
	}
	if out.mails = others; byDefault {
		out.mails = int(all.Mailboxes) - others
	}
	return out, nil
}

// mailRecipients returns the mailboxes of customers who want emails of a kind.
func (s *service) mailRecipients(ctx context.Context, k Kind, boxes []mailbox) (out []mailbox, err error) {
	if k.isFixed() {
		return boxes, nil
	}
	set, err := module.Settings[Settings](ctx)
	if err != nil {
		return nil, err
	}
	relations := make([]string, len(boxes))
	for i, b := range boxes {
		relations[i] = b.Relation
	}
	chosen, err := mailChoices(ctx, s.host.DB, k, relations)
	if err != nil {
		return nil, err
	}
	for _, b := range boxes {
		wants, hasChosen := chosen[b.Relation]
		if hasChosen && wants || !hasChosen && preferenceOf(set, k).Mail {
			out = append(out, b)
		}
	}
	return out, nil
}

// selection returns the relations with the given debtor numbers, each once. It returns 400 with the unknown numbers.
func (s *service) selection(ctx context.Context, numbers []string) ([]string, error) {
	label, seen := module.ScopeOf(ctx).Label, map[string]bool{}
	var relations []string
	for _, n := range numbers {
		if r := relationID(label, n); !seen[r] {
			seen[r] = true
			relations = append(relations, r)
		}
	}
	known, err := s.knownRelations(ctx, relations)
	if err != nil {
		return nil, err
	}
	var fieldErrors []problem.FieldError
	for i, n := range numbers {
		if !known[relationID(label, n)] && len(fieldErrors) < maxReported {
			fieldErrors = append(fieldErrors, unknownCustomer(i))
		}
	}
	return relations, problem.Refuse(fieldErrors...)
}

// relationID returns the id that module account assigns to the relation with a debtor number.
func relationID(label, debtor string) string { return value.StableID(label, "relation", debtor) }

// now returns the current time with the precision of the database.
func (s *service) now() time.Time { return s.host.Now().UTC().Truncate(precision) }
