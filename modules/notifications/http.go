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

// base is the path of the operations of customers (7.6-prefix-reconcile).
const base = "/sustainable/notifications"

func (s *service) routes() {
	const get, put, post, del = http.MethodGet, http.MethodPut, http.MethodPost, http.MethodDelete
	module.Route(s.API, op(get, "/sustainable/notices", "listNotices", "List the notices of today",
		// 7.6-get-notices
		"For customers. Returns the notices and market messages of the label that are shown today, newest first."), module.Customer, module.Read,
		s.listNotices)
	module.Route(s.API, op(get, base, "listNotifications", "List notifications, newest first",
		// 7.6-get-notifications
		"For customers. Returns at most 500. Problem: 404 module_not_enabled if the label has no inbox."), module.Customer, module.Read,
		s.listNotifications)
	module.Route(s.API, op(get, base+"/unread", "countUnread", "Count unread notifications",
		"For customers. Counts within the list. Problem: 404 module_not_enabled if the label has no inbox."), module.Customer, module.Read,
		s.countUnread)
	read := op(post, base+"/{id}/read", "readNotification", "Mark a notification as read",
		"For customers, not during impersonation. Repeating the call changes nothing. Problem: 404 for an unknown notification.")
	read.DefaultStatus = http.StatusNoContent
	module.Route(s.API, read, module.Customer, module.Write, s.readNotification)
	module.Route(s.API, op(get, base+"/preferences", "getPreferences", "Get notification preferences",
		"For customers. Returns all kinds, with the default of the label where the customer has not chosen."), module.Customer, module.Read,
		s.getPreferences)
	module.Route(s.API, op(put, base+"/preferences", "changePreferences", "Change notification preferences",
		"For customers. Kinds that are not in the request stay unchanged. Problem: 400 notifications.kind_fixed."), module.Customer, module.Write,
		s.changePreferences)

	module.Route(s.API, op(get, "/notifications/unsubscribe/{token}", "getUnsubscribe", "Get the kind of an unsubscribe link",
		"Public: the token identifies the customer. Changes nothing. Problem: 404 notifications.link_unknown."), module.Public, module.Read,
		s.getUnsubscribe)
	end := op(post, "/notifications/unsubscribe/{token}", "unsubscribe", "End mails of a kind with one click (RFC 8058)",
		"Public: the token identifies the customer. Notifications stay in the portal. Repeating the call changes nothing. "+
			"Problem: 404 notifications.link_unknown.")
	end.DefaultStatus, end.MaxBodyBytes = http.StatusNoContent, 4096
	end.RequestBody = &huma.RequestBody{Description: "Sent by mail programs; optional",
		Content: map[string]*huma.MediaType{"application/x-www-form-urlencoded": {
			Schema: &huma.Schema{Type: huma.TypeObject,
				Properties: map[string]*huma.Schema{"List-Unsubscribe": {Type: huma.TypeString,
					Description: "One-Click (RFC 8058); it is not read"}}}}}}
	module.Route(s.API, end, module.Public, module.Write, s.unsubscribe)
	end.RequestBody.Required = false // the page's button sends no body

	module.Route(s.API, op(get, "/staff/notifications", "listSent", "List planned or sent notifications",
		"For staff and API keys with scope notifications:read. Returns 50 per page."), module.APIKey, module.Read, s.listSent)
	module.Route(s.API, op(post, "/staff/notifications/preview", "previewNotification", "Preview a notification and count its recipients",
		"For staff and API keys with scope notifications:read. Stores and sends nothing. Problems: 400 for texts that are too long, or an "+
			"unknown project or customer."), module.APIKey, module.Read, s.previewNotification)
	module.Route(s.API, op(post, "/staff/notifications", "sendNotification", "Send a notification now or at a planned time",
		"For staff and API keys with scope notifications:write. Problems: 400 for missing or too long texts, a time in the past, or an "+
			"audience that is unknown or empty; 422 notifications.key_reused if the id belongs to another notification."), module.APIKey,
		module.Write, s.sendNotification)
	withdraw := op(del, "/staff/notifications/{id}", "withdrawNotification", "Withdraw a planned notification",
		"For staff and API keys with scope notifications:write. Problems: 404 for an unknown notification; 409 notifications.sent_already.")
	withdraw.DefaultStatus = http.StatusNoContent
	module.Route(s.API, withdraw, module.APIKey, module.Write, s.withdrawNotification)
}

func op(method, path, id, summary, description string) huma.Operation {
	return huma.Operation{Method: method, Path: path, OperationID: id, Summary: summary, Description: description}
}

// LocaleInput is the language of the texts in a response.
type LocaleInput struct {
	Locale string `query:"locale" enum:"nl,en" doc:"Language of the texts; default: the Accept-Language header"`
}

// in returns the language of a response.
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
	return &noticesAnswer{noticesOn(set, module.ScopeOf(ctx).Label, in.in(ctx), module.Today(ctx, s.host.Now()), zoneOf(ctx), s.clean.clean)},
		nil
}

// reader returns the customer of the call.
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
	r.periods, err = s.participationPeriods(ctx)
	return r, err
}

type notificationsInput struct {
	LocaleInput
	Project string `query:"project" maxLength:"64" doc:"Project code; only notifications about this project"`
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
		message := s.clean.clean(n.message().In(locale))
		x := Notification{ID: n.ID, Kind: n.Kind, Title: n.title().In(locale), Message: message.html, Preview: message.preview,
			Projects: []string{}, Codes: []string{}, Published: n.PublishAt.In(zone).Truncate(time.Second), Read: n.Read}
		if n.ProjectCode != "" {
			x.Projects, x.Codes = []string{n.ProjectName}, []string{n.ProjectCode}
		}
		out.Body = append(out.Body, x)
	}
	return out, nil
}

// Unread is the number of unread notifications of a customer.
type Unread struct {
	Count int `json:"count" doc:"Number of unread notifications"`
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
	ID string `path:"id" maxLength:"64" pattern:"^[0-9a-z]+$" doc:"Id of the notification"`
}

func (s *service) readNotification(ctx context.Context, in *idInput) (*struct{}, error) {
	r, err := s.reader(ctx)
	if err != nil {
		return nil, err
	}
	now := s.now()
	allowed, err := mayRead(ctx, s.host.DB, r, in.ID, now)
	if err == nil && !allowed {
		err = problem.ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	return nil, s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error { return markRead(ctx, tx, r.rows, in.ID, now) })
}

// Preferences are the preferences of a customer by kind.
type Preferences struct {
	Kinds []Preference `json:"kinds" nullable:"false" maxItems:"20" doc:"Preferences by kind"`
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

// changePreferences stores the given kinds; other kinds stay unchanged.
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
		return savePreferences(ctx, tx, rows, rows.Relation(), in.Body.Kinds, s.now())
	})
	if err != nil {
		return nil, err
	}
	return s.getPreferences(ctx, nil)
}

// Unsubscribing is the kind and label of an unsubscribe link.
type Unsubscribing struct {
	Kind  Kind   `json:"kind" enum:"project,news,market" doc:"Kind of notification that the mail was about"`
	Label string `json:"label" doc:"Name of the label that sent the mail"`
	Done  bool   `json:"done" doc:"Whether these mails have already ended"`
}

// TokenInput is the token of an unsubscribe link.
type TokenInput struct {
	Token string `path:"token" maxLength:"200" doc:"Token of the link in the mail"`
}

type unsubscribingAnswer struct{ Body Unsubscribing }

// link validates the token of an unsubscribe link and returns its content and the current preference. It returns 404
// notifications.link_unknown for an invalid token.
func (s *service) link(ctx context.Context, token string) (l link, now Preference, err error) {
	key, err := linkKey(ctx, s.host.DB)
	if errors.Is(err, problem.ErrNotFound) { // the label never sent an email
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
	// A mail program posts List-Unsubscribe=One-Click, and the page posts an empty body. The body is ignored.
	RawBody []byte `contentType:"application/x-www-form-urlencoded"`
}

// unsubscribe stops emails of a kind (RFC 8058). It is idempotent and needs no session.
func (s *service) unsubscribe(ctx context.Context, in *unsubscribeInput) (*struct{}, error) {
	l, now, err := s.link(ctx, in.Token)
	if err != nil || !now.Mail {
		return nil, err
	}
	now.Mail = false
	return nil, s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		rows := module.Label(ctx, "an unsubscribe link is signed and names its relation; its reader is not signed in")
		return savePreferences(ctx, tx, rows, l.relation, []Preference{now}, s.now())
	})
}
