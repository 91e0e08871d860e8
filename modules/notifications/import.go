package notifications

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/record"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/account/accountapi"
)

// kindNotification is the record kind of notifications that were sent before the portal was introduced. Their natural key is id.
const kindNotification = "notification"

// recordText is a text in a record: one string for both languages, or {nl, en}.
type recordText struct{ Text }

// UnmarshalJSON accepts a string, or an object with a string for each language.
func (w *recordText) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' {
		var s string
		if err := json.Unmarshal(b, &s); err != nil {
			return err
		}
		w.Text = Text{s, s}
		return nil
	}
	return json.Unmarshal(b, &w.Text)
}

type notificationRecord struct {
	ID        record.Loose `json:"id"`
	Debtor    record.Loose `json:"debtor_number"`
	Project   record.Loose `json:"project_code"`
	Kind      record.Loose `json:"kind"`
	Title     recordText   `json:"title"`
	Message   recordText   `json:"message"`
	Published record.Loose `json:"published"`
	Read      record.Loose `json:"read"`
}

// importedNotification is a notification to import, with its reader if it has only one.
type importedNotification struct {
	line     int
	row      notificationRow
	relation string
	read     bool
}

// Import stores older notifications. If several records have the same id, the last one is stored. A notification that a customer has read
// stays read.
func (s *service) Import(ctx context.Context, kind string, rows []record.Row) ([]record.Refusal, error) {
	if kind != kindNotification {
		return nil, fmt.Errorf("notifications: does not import %q", kind)
	}
	var refused []record.Refusal
	var batch []importedNotification
	place, now := map[string]int{}, s.now()
	for _, row := range rows {
		n, refusals := readImported(row, module.ScopeOf(ctx).Label, zoneOf(ctx), now)
		if len(refusals) > 0 {
			refused = append(refused, refusals...)
			continue
		}
		if at, found := place[n.row.ID]; found {
			batch[at] = n
			continue
		}
		place[n.row.ID] = len(batch)
		batch = append(batch, n)
	}
	batch, refusals, err := s.setProjectNames(ctx, batch, now)
	if err != nil || len(batch) == 0 {
		return append(refused, refusals...), err
	}
	lines := map[string][]int{} // by relation
	for _, n := range batch {
		if n.relation != "" {
			lines[n.relation] = append(lines[n.relation], n.line)
		}
	}
	accountapi.New(s.host.Client).WarnUnknownCustomers(ctx, "debtor_number", lines)
	return append(refused, refusals...), s.host.DB.Tx(ctx, func(ctx context.Context,
		tx module.Tx) error {
		return saveImported(ctx, tx, batch, now)
	})
}

// setProjectNames sets project names, and refuses records with an unknown project.
func (s *service) setProjectNames(ctx context.Context, batch []importedNotification, now time.Time) (out []importedNotification,
	refused []record.Refusal, err error) {
	names := map[string]string{}
	for _, n := range batch {
		code := n.row.ProjectCode
		name, known := names[code]
		if code != "" && !known {
			p, err := s.participantsOf(ctx, code, now, "")
			if err != nil && !errors.Is(err, problem.ErrNotFound) {
				return nil, nil, err
			}
			name, names[code] = p.ProjectName, p.ProjectName
		}
		if code != "" && name == "" {
			refused = append(refused, record.Refusal{Line: n.line, Field: "project_code", Code: codeUnknownProject})
			continue
		}
		n.row.ProjectName = name
		out = append(out, n)
	}
	return out, refused, nil
}

func readImported(row record.Row, label string, zone *time.Location, now time.Time) (n importedNotification, refusals []record.Refusal) {
	var in notificationRecord
	r, ok := record.Read(row, &in)
	if !ok {
		return n, r.Refusals()
	}
	id := r.Required("id", in.ID)
	if id != "" && !keyPattern.MatchString(id) {
		r.Refuse("id", problem.CodeInvalid)
	}
	title, message := in.Title.each(line), in.Message.each(clean)
	for _, t := range []struct{ locale, title, source, message string }{
		{"nl", title.NL, in.Message.NL, message.NL}, {"en", title.EN, in.Message.EN, message.EN}} {
		switch {
		case t.title == "":
			r.Refuse("title."+t.locale, problem.CodeRequired)
		case utf8.RuneCountInString(t.title) > maxTitle:
			r.Refuse("title."+t.locale, problem.CodeTooLong)
		}
		switch {
		case utf8.RuneCountInString(t.source) > maxMessage:
			r.Refuse("message."+t.locale, codeMessageTooLong)
		case len(paragraphs(t.message, false)) == 0:
			r.Refuse("message."+t.locale, codeMessageEmpty)
		}
	}
	n = importedNotification{line: row.Line, row: notificationRow{LabelKey: label, ID: value.StableID(label, "imported notification", id),
		Kind:    Kind(in.Kind.Text()),
		TitleNL: title.NL, TitleEN: title.EN, MessageNL: message.NL, MessageEN: message.EN, Audience: ToAll, ProjectCode: in.Project.Text(),
		CreatedAt: now, Imported: true}}
	if n.row.ProjectCode != "" {
		n.row.Audience = ToProject
		if !projectPattern.MatchString(n.row.ProjectCode) {
			r.Refuse("project_code", codeUnknownProject)
		}
	}
	if debtor := in.Debtor.Text(); debtor != "" {
		n.row.Audience, n.relation = ToSelection, relationID(label, debtor)
		if !debtorPattern.MatchString(debtor) {
			r.Refuse("debtor_number", problem.CodeInvalid)
		}
	}
	switch {
	case n.row.Kind == "" && n.row.ProjectCode != "":
		n.row.Kind = Project
	case n.row.Kind == "":
		n.row.Kind = News
	case !n.row.Kind.isKnown():
		r.Refuse("kind", problem.CodeInvalid)
	}
	if text := r.Required("published", in.Published); text != "" {
		if n.row.PublishAt, ok = readTime(text, zone); !ok {
			r.Refuse("published", problem.CodeInvalid)
		}
	}
	// The participants at the old date are unknown, so the readers are the participants at the time of the import.
	if n.row.AudienceAt = n.row.PublishAt; now.After(n.row.PublishAt) {
		n.row.AudienceAt = now
	}
	if text := in.Read.Text(); text != "" {
		read, err := strconv.ParseBool(text)
		if err != nil {
			r.Refuse("read", problem.CodeInvalid)
		}
		n.read = read
	}
	n.row.ReadByAll = n.read && n.relation == ""
	return n, r.Refusals()
}

// readTime parses an RFC 3339 time, or a day, which means its start.
func readTime(text string, zone *time.Location) (time.Time, bool) {
	at, err := time.Parse(time.RFC3339, text)
	if day, bad := value.ParseDay(text); bad == nil {
		at, err = day.In(zone), nil
	}
	return at.UTC().Truncate(precision), err == nil && at.Year() >= 1990 && at.Year() < 2200
}
