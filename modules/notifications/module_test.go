package notifications_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/notifications"
)

type body[T any] struct{ Body T }

func op(method, path, id string) huma.Operation {
	return huma.Operation{Method: method, Path: path, OperationID: id}
}

// members contains relations with shares in the first label's project.
var members = []string{value.StableID(moduletest.LabelOne, "relation", "1"), value.StableID(moduletest.LabelOne, "relation", "2")}

func here(ctx context.Context) bool { return module.ScopeOf(ctx).Label == moduletest.LabelOne }

func fakeCore(a huma.API) {
	type count struct {
		Relations int `json:"relations"`
		Mailboxes int `json:"mailboxes"`
	}
	module.Route(a, op("GET", "/accounts/customers", "customers"), module.Sibling,
		module.Read, func(context.Context, *struct{}) (*body[count], error) {
			return &body[count]{count{2, 2}}, nil
		})
	type request struct {
		Body struct {
			Relations []string `json:"relations,omitempty"`
			After     string   `json:"after,omitempty"`
			Limit     int      `json:"limit,omitempty"`
		}
	}
	type box struct {
		Relation string `json:"relation"`
		Email    string `json:"email"`
		Locale   string `json:"locale"`
	}
	module.Route(a, op("POST", "/accounts/mailboxes", "mailboxes"), module.Sibling,
		module.Read, func(_ context.Context, in *request) (*body[[]box], error) {
			out := []box{}
			for _, r := range members {
				if slices.Contains(in.Body.Relations, r) || in.Body.Relations == nil && r > in.Body.After {
					out = append(out, box{r, r + "@voorbeeld.example", "nl"})
				}
			}
			return &body[[]box]{out}, nil
		})
	type labelPath struct {
		Label string `path:"label"`
	}
	type info struct {
		Name string `json:"name"`
	}
	module.Route(a, op("GET", "/labels/{label}/info", "info"), module.Sibling,
		module.Read, func(context.Context, *labelPath) (*body[info], error) {
			return &body[info]{info{"De Proef"}}, nil
		})
}

func fakeAccount(a huma.API) {
	type relation struct {
		Since value.Day `json:"relation_since"`
	}
	module.Route(a, op("GET", "/relations", "relation"), module.Customer,
		module.Read, func(context.Context, *struct{}) (*body[relation], error) {
			return &body[relation]{relation{value.Day{Year: 2020, Month: 1, Day: 1}}}, nil
		})
	type request struct {
		Body struct {
			Relations []string `json:"relations"`
		}
	}
	module.Route(a, op("POST", "/relations/lookup", "lookup"), module.Sibling,
		module.Read, func(_ context.Context, in *request) (*body[[]map[string]string], error) {
			out := []map[string]string{}
			for _, r := range in.Body.Relations {
				if slices.Contains(members, r) {
					out = append(out, map[string]string{"relation": r})
				}
			}
			return &body[[]map[string]string]{out}, nil
		})
}

func fakeMarketplace(a huma.API) {
	type held struct {
		Project string    `json:"project_code"`
		From    time.Time `json:"from"`
	}
	module.Route(a, op("GET", "/sustainable/participations/periods", "periods"), module.Sibling,
		module.Read, func(ctx context.Context, _ *struct{}) (*body[[]held], error) {
			out := []held{}
			if here(ctx) && slices.Contains(members, module.ScopeOf(ctx).Relation) {
				out = append(out, held{"WP", time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)})
			}
			return &body[[]held]{out}, nil
		})
	type in struct {
		Code  string `path:"code"`
		At    string `query:"at"`
		After string `query:"after"`
		Limit int    `query:"limit"`
	}
	type participants struct {
		Name      string   `json:"project_name"`
		Total     int      `json:"total"`
		Relations []string `json:"relations"`
	}
	module.Route(a, op("GET", "/sustainable/projects/{code}/participants", "participants"), module.Sibling,
		module.Read, func(ctx context.Context, in *in) (*body[participants], error) {
			if in.Code != "WP" || !here(ctx) {
				return nil, problem.ErrNotFound
			}
			out := participants{Name: "Windpark", Total: len(members), Relations: []string{}}
			for _, r := range slices.Sorted(slices.Values(members)) {
				if r > in.After {
					out.Relations = append(out.Relations, r)
				}
			}
			return &body[participants]{out}, nil
		})
}

func TestConformance(t *testing.T) {
	who := module.Scope{Relation: members[0], Subject: "account-1"}
	staff := module.Scope{Role: module.RoleStaff, Subject: "sam", Actor: "sam"}
	get := func(path string) moduletest.Call { return moduletest.Call{Path: path, As: who} }
	text := `"title":{"nl":"Titel","en":"Title"},"message":{"nl":"<p>Tekst</p>","en":"<p>Text</p>"},"kind":"project"`
	send := func(id, audience, more string) moduletest.Call {
		return moduletest.Call{Method: "POST", Path: "/staff/notifications", As: staff,
			Body: `{"id":"` + id + `",` + text + `,"audience":` + audience + `,"mail":true` + more + `}`}
	}
	id := func(key string) string { return value.StableID(moduletest.LabelOne, "notification", key) }
	at := func(day int) string { return fmt.Sprintf(`,"publish_at":"2026-12-0%dT10:00:00Z"`, day) } // the same dates in every run
	const toProject = `{"kind":"project","project":"WP"}`
	moduletest.Run(t, notifications.Module, moduletest.Options{
		Main: "./plugin",
		Settings: notifications.Settings{Inbox: true, Mail: []notifications.Kind{notifications.Project},
			Notices: map[string]notifications.NoticeSettings{
				"a": {Kind: notifications.PlainNotice, From: value.Day{Year: 2026, Month: 1, Day: 1}, Title: notifications.Text{NL: "a", EN: "a"},
					Message: notifications.Text{NL: "a", EN: "a"}}}},
		Siblings: []module.Module{moduletest.Fake("core", fakeCore), moduletest.Fake("account", fakeAccount),
			moduletest.Fake("marketplace", fakeMarketplace)},
		Records: []moduletest.Record{
			{Kind: "notification", Data: `{"id":"old-1","title":"Oud","message":"<p>Oud</p>","published":"2026-01-02"}`},
			{Kind: "notification", Data: `{"id":"old-2","title":{"nl":"Oud","en":"Old"},"message":"<p>Oud</p>","published":"2026-01-03T09:00:00+01:00","project_code":"WP","read":"true"}`},
			{Kind: "notification", Data: `{"id":"old-3","title":"Oud","message":"Oud","published":"2026-01-04","debtor_number":"1"}`},
		},
		Prepare: []moduletest.Call{send("first", toProject, at(1)), send("planned", `{"kind":"all"}`, at(2)),
			send("some", `{"kind":"selection","relations":["1","2"]}`, at(3))},
		State: []moduletest.Call{get("/sustainable/notifications"), get("/sustainable/notifications/unread"),
			get("/sustainable/notifications/preferences"),
			{Path: "/staff/notifications?state=planned", As: staff}},
		Writes: map[string]moduletest.Call{
			"sendNotification": send("second", toProject, ""),
			"readNotification": {Method: "POST", Path: "/sustainable/notifications/" +
				value.StableID(moduletest.LabelOne, "imported notification", "old-1") + "/read", As: who},
			"changePreferences": {Method: "PUT", Path: "/sustainable/notifications/preferences",
				Body: `{"kinds":[{"kind":"news","portal":false,"mail":false}]}`, As: who},
			"withdrawNotification": {Method: "DELETE", Path: "/staff/notifications/" + id("planned"), As: staff},
		},
		Skip: map[string]string{"unsubscribe": "its token is only in a mail: TestNotificationMails"},
		Events: []module.Event{
			{Type: "notifications.published", Key: id("first"), Data: []byte(`{"notification":"` + id("first") + `"}`)},
			{Type: "notifications.mails_due", Key: id("first"), Data: []byte(`{"notification":"` + id("first") + `","after":""}`)},
			{Type: "notifications.mails_due", Key: id("some"), Data: []byte(`{"notification":"` + id("some") + `","after":""}`)},
			{Type: "notifications.published", Key: "gone", Data: []byte(`{"notification":"gone"}`)},
		},
	})
}
