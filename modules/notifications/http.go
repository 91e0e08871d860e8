//go:generate go test . -run TestOpenAPI|TestAsyncAPI -update

package notifications

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
)

// base is where the operations of customers lie (7.6-prefix-reconcile).
const base = "/sustainable/notifications"

func (s *service) routes() {
	const get, put, post, del = http.MethodGet, http.MethodPut, http.MethodPost, http.MethodDelete
	module.Route(s.API, op(get, "/sustainable/notices", "listNotices", "Notices and market messages of today"), module.Customer, module.Read, s.listNotices) // 7.6-get-notices
	module.Route(s.API, op(get, base, "listNotifications", "The customer's notifications, newest first"), module.Customer, module.Read, s.listNotifications) // 7.6-get-notifications
	module.Route(s.API, op(get, base+"/unread", "countUnread", "How many of them are unread"), module.Customer, module.Read, s.countUnread)
	read := op(post, base+"/{id}/read", "readNotification", "Mark a notification as read")
	read.DefaultStatus = http.StatusNoContent
	module.Route(s.API, read, module.Customer, module.Write, s.readNotification)
	module.Route(s.API, op(get, base+"/preferences", "getPreferences", "Which kinds the customer gets, and how"), module.Customer, module.Read, s.getPreferences)
	module.Route(s.API, op(put, base+"/preferences", "changePreferences", "Choose which kinds to get, and how"), module.Customer, module.Write, s.changePreferences)

	module.Route(s.API, op(get, "/notifications/unsubscribe/{token}", "getUnsubscribe", "What an unsubscribe link stands for"), module.Public, module.Read, s.getUnsubscribe)
	end := op(post, "/notifications/unsubscribe/{token}", "unsubscribe", "End mails of a kind, with one click (RFC 8058)")
	end.DefaultStatus, end.MaxBodyBytes = http.StatusNoContent, 4096
	end.RequestBody = &huma.RequestBody{Description: "List-Unsubscribe=One-Click, from a mail program; it may be left out"}
	module.Route(s.API, end, module.Public, module.Write, s.unsubscribe)
	end.RequestBody.Required = false // the page's button needs none

	module.Route(s.API, op(get, "/staff/notifications", "listSent", "Planned and sent notifications"), module.APIKey, module.Read, s.listSent)
	module.Route(s.API, op(post, "/staff/notifications/preview", "previewNotification", "How a notification looks, and to how many it goes"), module.APIKey, module.Read, s.previewNotification)
	module.Route(s.API, op(post, "/staff/notifications", "sendNotification", "Send a notification, at once or planned"), module.APIKey, module.Write, s.sendNotification)
	withdraw := op(del, "/staff/notifications/{id}", "withdrawNotification", "Withdraw a planned notification")
	withdraw.DefaultStatus = http.StatusNoContent
	module.Route(s.API, withdraw, module.APIKey, module.Write, s.withdrawNotification)
}

func op(method, path, id, summary string) huma.Operation {
	return huma.Operation{Method: method, Path: path, OperationID: id, Summary: summary}
}

// LocaleInput says in which language texts are wanted.
type LocaleInput struct {
	Locale string `query:"locale" enum:"nl,en" doc:"Language of the texts; without it that of Accept-Language"`
}

// in is the language of an answer.
func (l LocaleInput) in(ctx context.Context) string {
	if l.Locale != "" {
		return l.Locale
	}
	return module.ScopeOf(ctx).Locale
}

type noticesAnswer struct {
	Body []Notice `nullable:"false"`
}

func (s *service) listNotices(ctx context.Context, in *LocaleInput) (*noticesAnswer, error) {
	set, err := module.Settings[Settings](ctx)
	if err != nil {
		return nil, err
	}
	return &noticesAnswer{noticesOn(set, module.ScopeOf(ctx).Label, in.in(ctx), module.Today(ctx, s.host.Now()), zoneOf(ctx), s.clean.of)}, nil
}

// reader is the customer of the call.
func (s *service) reader(ctx context.Context) (r reader, err error) {
	if r.rows, err = module.Mine(ctx); err != nil {
		return r, err
	}
	set, err := withInbox(ctx)
	if err != nil {
		return r, err
	}
	stored, err := storedPreferences(ctx, s.host.DB, r.rows)
	if err != nil {
		return r, err
	}
	for _, p := range preferences(set, stored) {
		if !p.Portal {
			r.hidden = append(r.hidden, p.Kind)
		}
	}
	if r.since, err = s.customerSince(ctx); err != nil {
		return r, err
	}
	r.periods, err = s.participated(ctx)
	return r, err
}

type notificationsInput struct {
	LocaleInput
	Project string `query:"project" maxLength:"64" doc:"Code of a project: only what is about it"`
}

type notificationsAnswer struct {
	Body []Notification `nullable:"false"`
}

func (s *service) listNotifications(ctx context.Context, in *notificationsInput) (*notificationsAnswer, error) {
	r, err := s.reader(ctx)
	if err != nil {
		return nil, err
	}
	out := &notificationsAnswer{[]Notification{}}
	if in.Project != "" && !projectPattern.MatchString(in.Project) {
		return out, nil
	}
	found, err := notificationsOf(ctx, s.host.DB, r, in.Project, s.now())
	if err != nil {
		return nil, err
	}
	locale, zone := in.in(ctx), zoneOf(ctx)
	for _, n := range found {
		message := s.clean.of(n.message().In(locale))
		x := Notification{ID: n.ID, Kind: n.Kind, Title: n.title().In(locale), Message: message.html, Preview: message.preview,
			Projects: []string{}, Codes: []string{}, Published: n.PublishAt.In(zone).Truncate(time.Second), Read: n.Read}
		if n.ProjectCode != "" {
			x.Projects, x.Codes = []string{n.ProjectName}, []string{n.ProjectCode}
		}
		out.Body = append(out.Body, x)
	}
	return out, nil
}

// Unread is how many notifications a customer has not read.
type Unread struct {
	Count int `json:"count"`
}

type unreadAnswer struct{ Body Unread }

func (s *service) countUnread(ctx context.Context, _ *struct{}) (*unreadAnswer, error) {
	r, err := s.reader(ctx)
	if err != nil {
		return nil, err
	}
	n, err := unreadOf(ctx, s.host.DB, r, s.now())
	return &unreadAnswer{Unread{n}}, err
}

type idInput struct {
	ID string `path:"id" maxLength:"64" pattern:"^[0-9a-z]+$"`
}

func (s *service) readNotification(ctx context.Context, in *idInput) (*struct{}, error) {
	r, err := s.reader(ctx)
	if err != nil {
		return nil, err
	}
	now := s.now()
	mine, err := mayRead(ctx, s.host.DB, r, in.ID, now)
	if err == nil && !mine {
		err = problem.ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	return nil, s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error { return markRead(ctx, tx, r.rows, in.ID, now) })
}

// Preferences are how a customer wants to get notifications, by kind.
type Preferences struct {
	Kinds []Preference `json:"kinds" nullable:"false" maxItems:"20"`
}

type preferencesAnswer struct{ Body Preferences }

func (s *service) getPreferences(ctx context.Context, _ *struct{}) (*preferencesAnswer, error) {
	rows, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	set, err := withInbox(ctx)
	if err != nil {
		return nil, err
	}
	stored, err := storedPreferences(ctx, s.host.DB, rows)
	return &preferencesAnswer{Preferences{preferences(set, stored)}}, err
}

type preferencesInput struct{ Body Preferences }

// changePreferences stores what is chosen; kinds that are not named stay as they are.
func (s *service) changePreferences(ctx context.Context, in *preferencesInput) (*preferencesAnswer, error) {
	rows, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := withInbox(ctx); err != nil {
		return nil, err
	}
	if err := problem.Refuse(checkPreferences(in.Body.Kinds)...); err != nil {
		return nil, err
	}
	err = s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		return keepPreferences(ctx, tx, rows, rows.Relation(), in.Body.Kinds, s.now())
	})
	if err != nil {
		return nil, err
	}
	return s.getPreferences(ctx, nil)
}

// Unsubscribing is what an unsubscribe link stands for.
type Unsubscribing struct {
	Kind  Kind   `json:"kind" enum:"project,news,market"`
	Label string `json:"label" doc:"Name of the label whose mails they are"`
	Done  bool   `json:"done" doc:"These mails have ended already"`
}

// TokenInput is the token of an unsubscribe link.
type TokenInput struct {
	Token string `path:"token" maxLength:"200"`
}

type unsubscribingAnswer struct{ Body Unsubscribing }

// link is what the token of a link stands for, and how its reader gets that kind now. 404 notifications.link_unknown.
func (s *service) link(ctx context.Context, token string) (l link, now Preference, err error) {
	key, err := linkKey(ctx, s.host.DB)
	if errors.Is(err, problem.ErrNotFound) { // the label never mailed
		err = problem.Fail(http.StatusNotFound, codeLinkUnknown)
	}
	if err != nil {
		return l, now, err
	}
	l, ok := openLink(key, module.ScopeOf(ctx).Label, token)
	if !ok {
		return l, now, problem.Fail(http.StatusNotFound, codeLinkUnknown)
	}
	set, err := module.Settings[Settings](ctx)
	if err != nil {
		return l, now, err
	}
	now, err = preferenceFor(ctx, s.host.DB, set, l)
	return l, now, err
}

func (s *service) getUnsubscribe(ctx context.Context, in *TokenInput) (*unsubscribingAnswer, error) {
	l, now, err := s.link(ctx, in.Token)
	if err != nil {
		return nil, err
	}
	name, err := s.labelName(ctx)
	return &unsubscribingAnswer{Unsubscribing{l.kind, name, !now.Mail}}, err
}

type unsubscribeInput struct {
	TokenInput
	// A mail program posts List-Unsubscribe=One-Click, and the page nothing: the token says it all.
	RawBody []byte `contentType:"application/x-www-form-urlencoded"`
}

// unsubscribe ends mails of a kind (RFC 8058). It may come twice, and without cookie or session.
func (s *service) unsubscribe(ctx context.Context, in *unsubscribeInput) (*struct{}, error) {
	l, now, err := s.link(ctx, in.Token)
	if err != nil || !now.Mail {
		return nil, err
	}
	now.Mail = false
	return nil, s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		rows := module.Label(ctx, "an unsubscribe link is signed and names its relation; its reader is not signed in")
		return keepPreferences(ctx, tx, rows, l.relation, []Preference{now}, s.now())
	})
}
