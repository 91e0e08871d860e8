package notifications_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/portaltest"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules"
	"github.com/wattle-portal/wattle/modules/account"
	"github.com/wattle-portal/wattle/modules/marketplace"
	"github.com/wattle-portal/wattle/modules/notifications"
	"github.com/wattle-portal/wattle/test/fixture"
)

// sender is a portal with staff and customers.
type sender struct {
	*fixture.Members
	staff string
	n     int
}

func eachSender(t *testing.T, cue string, f func(*testing.T, *sender)) {
	t.Helper()
	o := portaltest.Options{Modules: []module.Module{account.Module, marketplace.Module, notifications.Module}, CUE: fixture.SandboxPayments,
		Labels: []portaltest.Label{{Key: "alpha", Kind: portaltest.Participants, CUE: cue}}}
	portaltest.Each(t, o, func(t *testing.T, s *portaltest.Portal) {
		w := &sender{Members: &fixture.Members{Customers: &fixture.Customers{Portal: s, T: t}}, staff: s.Staff("alpha").Bearer}
		w.Project()
		f(t, w)
	})
}

const staffNotifications = "/staff/notifications"

// draft returns a valid draft.
func draft(audience fixture.Object) fixture.Object {
	return fixture.Object{"title": fixture.Object{"nl": "Molen staat stil", "en": "Turbine stands still"}, "kind": "project",
		"audience": audience,
		"message": fixture.Object{"nl": "<p>De molen staat <b>twee dagen</b> stil.</p>",
			"en": "<p>The turbine stands still for <b>two days</b>.</p>"}}
}

// order returns a valid order with some changes.
func (w *sender) order(audience, changes fixture.Object) fixture.Object {
	w.n++
	return fixture.With(draft(audience), fixture.With(fixture.Object{"id": fmt.Sprint("key-", w.n), "publish_at": nil, "mail": false},
		changes))
}

func (w *sender) send(t *testing.T, order fixture.Object) fixture.Object {
	t.Helper()
	return fixture.Body[fixture.Object](t, w.Do(portaltest.Call{Method: "POST", Path: staffNotifications, Bearer: w.staff, Body: order}), 200)
}

func (w *sender) trySend(order fixture.Object) portaltest.Answer {
	return w.Do(portaltest.Call{Method: "POST", Path: staffNotifications, Bearer: w.staff, Body: order})
}

// titles returns the titles in a customer's list.
func titles(t *testing.T, c fixture.Customer, query string) (out []string) {
	t.Helper()
	out = []string{}
	for _, n := range c.List(t, "/sustainable/notifications"+query) {
		out = append(out, n["title"].(string))
	}
	return out
}

func unread(t *testing.T, c fixture.Customer) int {
	t.Helper()
	return int(c.Get(t, "/sustainable/notifications/unread")["count"].(float64))
}

var toProject, toAll = fixture.Object{"kind": "project", "project": fixture.MarketProject}, fixture.Object{"kind": "all"}

func TestNotices(t *testing.T) {
	t.Parallel()
	notice := func(name, rest string) string {
		return fmt.Sprintf("modules: notifications: notices: %q: {title: {nl: \"%[1]s nl\", en: \"%[1]s en\"}, message: {nl: \"<p onclick='x()'>Hoi</p>\", en: \"<p>Hi</p><script>x</script>\"}, %s}\n", name, rest)
	}
	cue := notice("today", `from: "2026-11-20", until: "2026-11-20", pages: ["/home"]`) + notice("older", `from: "2026-10-01"`) +
		notice("over", `from: "2026-11-01", until: "2026-11-19"`) +
		notice("to-come", `from: "2026-11-21"`) + notice("market", `from: "2026-11-10", kind: "market_message"`) +
		`modules: notifications: notices: "meter-readings": {from: "2026-09-01", title: nl: "Van ons", message: en: "<p>Ours</p>"}`
	with := func(on string) []portaltest.Label {
		return []portaltest.Label{{Key: "alpha", CUE: cue + "\nmodules: notifications: market_messages: " + on},
			{Key: "beta", CUE: notice("of-beta", `from: "2026-11-20"`)}}
	}
	portaltest.Each(t, portaltest.Options{Modules: []module.Module{notifications.Module}, Labels: with("true")}, func(t *testing.T,
		s *portaltest.Portal) {
		c := fixture.Customer{Caller: s.Customer("alpha", "r1")}
		ids := func(path string) (out []string) {
			for _, n := range c.List(t, path) {
				out = append(out, n["id"].(string))
			}
			return out
		}
		t.Run("7.6-get-notices,7.6-notice-published,9-notice-dates", func(t *testing.T) {
			assert.Equal(t, []string{"today", "market", "older", "meter-readings"}, ids("/sustainable/notices"), "newest first")
			var other []string
			for _, n := range (fixture.Customer{Caller: s.Customer("beta", "r2")}).List(t, "/sustainable/notices") {
				other = append(other, n["id"].(string))
			}
			assert.Contains(t, other, "of-beta")
			assert.NotContains(t, other, "today", "of another label")
			first := c.List(t, "/sustainable/notices?locale=nl")[0]
			assert.Equal(t, "2026-11-20T00:00:00+01:00", first["publication_date_time"])
			assert.Equal(t, "2026-11-20", first["until"])
			s.Advance(12*time.Hour + 55*time.Minute) // the last minutes of the day in the label's zone
			c.Bearer = s.Customer("alpha", "r1").Bearer
			assert.Equal(t, []string{"today", "market", "older", "meter-readings"}, ids("/sustainable/notices"))
			s.Advance(10 * time.Minute) // the first minutes of the next day in the label's zone, and the same day in UTC
			c.Bearer = s.Customer("alpha", "r1").Bearer
			require.Equal(t, 20, s.Now().UTC().Day())
			assert.Equal(t, []string{"to-come", "market", "older", "meter-readings"}, ids("/sustainable/notices"))
		})
		t.Run("7.6-notice-shape", func(t *testing.T) {
			older := c.List(t, "/sustainable/notices?locale=en")[2]
			assert.Equal(t, fixture.Object{"id": "older", "kind": "notice", "title": "older en", "message": "<p>Hi</p>", "labels": []any{"alpha"},
				"publication_date_time": "2026-10-01T00:00:00+02:00", "until": nil, "pages": []any{}}, older)
		})
		t.Run("9-notice-general-text", func(t *testing.T) {
			nl, en := c.List(t, "/sustainable/notices?locale=nl")[3], c.List(t, "/sustainable/notices?locale=en")[3]
			assert.Equal(t, "Van ons", nl["title"], "text of the label")
			assert.Equal(t, "Send in your meter readings", en["title"], "default text")
			assert.Contains(t, nl["message"], "jaarwisseling")
			assert.Equal(t, "<p>Ours</p>", en["message"])
		})
		t.Run("1-market-messages-labels", func(t *testing.T) {
			assert.Contains(t, ids("/sustainable/notices"), "market")
			portaltest.WriteLabel(t, s.LabelsDir(), with("false")[0], []module.Module{notifications.Module})
			s.Eventually(func() bool { return !slices.Contains(ids("/sustainable/notices"), "market") })
			assert.Contains(t, ids("/sustainable/notices"), "older")
		})
		t.Run("9-notice-refused", func(t *testing.T) {
			for name, invalid := range map[string]string{"until before from": `from: "2026-11-20", until: "2026-11-19"`,
				"no day": `from: "2026-02-30"`, "no from": `until: "2026-12-01"`,
				"a page that is none": `from: "2026-11-20", pages: ["https://elsewhere.example"]`,
				"another kind":        `from: "2026-11-20", kind: "banner"`} {
				dir := t.TempDir()
				portaltest.WriteLabel(t, dir, portaltest.Label{Key: "alpha", CUE: notice("wrong", invalid)}, []module.Module{notifications.Module})
				assert.NotEmpty(t, vetted(t, dir), name)
			}
			dir := t.TempDir()
			portaltest.WriteLabel(t, dir, portaltest.Label{Key: "alpha", CUE: cue}, []module.Module{notifications.Module})
			assert.Empty(t, vetted(t, dir))
		})
	})
}

// vetted returns the errors that labels vet reports for a labels folder.
func vetted(t *testing.T, dir string) (out []string) {
	t.Helper()
	out = portaltest.Start(t, portaltest.Options{Modules: []module.Module{notifications.Module}, LabelsDir: dir}).LabelProblems()
	for _, problem := range out {
		assert.Regexp(t, `^alpha/label\.cue:[1-9]\d*:[1-9]\d*: .`, problem)
	}
	return out
}

func TestNotifications(t *testing.T) {
	t.Parallel()
	eachSender(t, "", func(t *testing.T, w *sender) {
		in, out := w.With(t, 5), w.With(t, 0)
		sent := w.send(t, w.order(toProject, nil))
		t.Run("7.6-get-notifications,3-notification-fields", func(t *testing.T) {
			found := in.List(t, "/sustainable/notifications?locale=nl")
			require.Len(t, found, 1)
			assert.Regexp(t, `^2026-11-20T11:00:\d\d\+01:00$`, found[0]["publication_date_time"])
			assert.Equal(t, fixture.Object{"id": sent["id"], "kind": "project", "title": "Molen staat stil",
				"message": "<p>De molen staat <b>twee dagen</b> stil.</p>",
				"preview": "De molen staat twee dagen stil.", "projects": []any{"Windpark Molenbocht"}, "project_codes": []any{fixture.MarketProject},
				"publication_date_time": found[0]["publication_date_time"], "read": false}, found[0])
			assert.Equal(t, "Turbine stands still", in.List(t, "/sustainable/notifications?locale=en")[0]["title"])
			require.Empty(t, titles(t, out.Customer, ""), "not a participant")
		})
		t.Run("9-notification-audience", func(t *testing.T) {
			w.Later(t, time.Minute)
			later := w.With(t, 4)
			require.Empty(t, titles(t, later.Customer, ""), "a later participant")
			w.Later(t, time.Second)
			w.send(t, w.order(toProject, fixture.Object{"title": fixture.Object{"nl": "Tweede", "en": "Second"}}))
			assert.Equal(t, []string{"Tweede"}, titles(t, later.Customer, ""))
			assert.Equal(t, []string{"Tweede", "Molen staat stil"}, titles(t, in.Customer, ""), "newest first")
			w.send(t, w.order(fixture.Object{"kind": "selection", "relations": []string{out.Debtor, later.Debtor, out.Debtor}},
				fixture.Object{"title": fixture.Object{"nl": "Voor jou", "en": "For you"}}))
			assert.Equal(t, []string{"Voor jou"}, titles(t, out.Customer, ""))
			assert.Equal(t, []string{"Voor jou", "Tweede"}, titles(t, later.Customer, ""))
			assert.NotContains(t, titles(t, in.Customer, ""), "Voor jou")
			w.send(t, w.order(toAll, fixture.Object{"title": fixture.Object{"nl": "Iedereen", "en": "Everybody"}, "kind": "news"}))
			assert.Equal(t, []string{"Iedereen", "Voor jou"}, titles(t, out.Customer, ""))
			assert.Equal(t, []string{"Tweede", "Molen staat stil"}, titles(t, in.Customer, "?project="+fixture.MarketProject))
			assert.Empty(t, titles(t, in.Customer, "?project=ELSE"))
			assert.Equal(t, http.StatusOK, in.Do("GET", "/sustainable/notifications?project=%27%20OR%201", nil).Status)
		})
		t.Run("9-notification-rows", func(t *testing.T) {
			var rows, readers int
			require.NoError(t, w.DB().NewRaw("SELECT count(*) FROM notifications_notifications").Scan(t.Context(), &rows))
			assert.Equal(t, 4, rows, "two to the project, one to a selection, one to all")
			require.NoError(t, w.DB().NewRaw("SELECT count(*) FROM notifications_recipients").Scan(t.Context(), &readers))
			assert.Equal(t, 2, readers, "only the selection has rows, one for each of its readers")
		})
		t.Run("9-notification-read", func(t *testing.T) {
			before := unread(t, in.Customer)
			path := "/sustainable/notifications/" + sent["id"].(string) + "/read"
			a := w.Do(portaltest.Call{Method: "POST", Path: path, Bearer: w.Impersonator("alpha", in.Relation).Bearer})
			require.Equal(t, []any{403, "read_only"}, []any{a.Status, a.Code()}, "during impersonation")
			assert.Equal(t, before, unread(t, in.Customer))
			fixture.Body[fixture.Object](t, in.Post(path, nil), 204)
			fixture.Body[fixture.Object](t, in.Post(path, nil), 204)
			assert.Equal(t, before-1, unread(t, in.Customer))
			for _, n := range in.List(t, "/sustainable/notifications") {
				assert.Equal(t, n["id"] == sent["id"], n["read"])
			}
			partner := fixture.Customer{Caller: w.SignIn(portaltest.Account{Label: "alpha", Relation: in.Relation, Username: "partner@leden.example",
				Email: "partner@leden.example", Name: "Partner"})}
			assert.Equal(t, before-1, unread(t, partner), "another account of the relation")
			assert.Equal(t, 404, out.Post(path, nil).Status, "of others")
			assert.Equal(t, 404, in.Post("/sustainable/notifications/none/read", nil).Status)
			listed := fixture.Body[fixture.Object](t, w.Do(portaltest.Call{Path: staffNotifications, Bearer: w.staff}), 200)["items"].([]any)
			assert.EqualValues(t, 1, listed[len(listed)-1].(fixture.Object)["read"])
		})
	})
}

func TestSendingNotifications(t *testing.T) {
	t.Parallel()
	eachSender(t, "", func(t *testing.T, w *sender) {
		one, two := w.With(t, 5), w.With(t, 0)
		preview := func(d fixture.Object) portaltest.Answer {
			return w.Do(portaltest.Call{Method: "POST", Path: staffNotifications + "/preview", Bearer: w.staff, Body: d})
		}
		t.Run("9-notification-preview", func(t *testing.T) {
			got := fixture.Body[fixture.Object](t, preview(fixture.With(draft(toProject),
				fixture.Object{"message": fixture.Object{"nl": `<p>Een <a href="javascript:x()">link</a></p><form><input name="a"></form><img src="https://elsewhere.example/a.png">`, "en": ""}})), 200)
			assert.Equal(t, fixture.Object{"nl": "<p>Een link</p>", "en": ""}, got["message"])
			assert.Equal(t, fixture.Object{"nl": "Een link", "en": ""}, got["preview"])
			assert.EqualValues(t, 1, got["recipients"])
			assert.EqualValues(t, 1, got["mails"])
			all := fixture.Body[fixture.Object](t, preview(draft(toAll)), 200)
			assert.EqualValues(t, []any{2.0, 2.0}, []any{all["recipients"], all["mails"]})
			news := fixture.Body[fixture.Object](t, preview(fixture.With(draft(toAll), fixture.Object{"kind": "news"})), 200)
			assert.EqualValues(t, []any{2.0, 0.0}, []any{news["recipients"], news["mails"]}, "mail about news is off by default")
			both := fixture.Body[fixture.Object](t, preview(draft(fixture.Object{"kind": "selection",
				"relations": []string{one.Debtor, two.Debtor, one.Debtor}})), 200)
			assert.EqualValues(t, []any{2.0, 2.0}, []any{both["recipients"], both["mails"]})
			choose := func(portal, mail bool) {
				a := one.Do("PUT", "/sustainable/notifications/preferences",
					fixture.Object{"kinds": []fixture.Object{{"kind": "project", "portal": portal, "mail": mail}}})
				require.Equal(t, 200, a.Status, string(a.Body))
			}
			choose(false, false)
			for _, audience := range []fixture.Object{toAll, {"kind": "selection", "relations": []string{one.Debtor, two.Debtor}}} {
				some := fixture.Body[fixture.Object](t, preview(draft(audience)), 200)
				assert.EqualValues(t, []any{2.0, 1.0}, []any{some["recipients"], some["mails"]}, "one of them wants no mail")
			}
			choose(true, true)
			require.Empty(t, titles(t, one.Customer, ""), "a preview sends nothing")
		})
		t.Run("9-notification-refused", func(t *testing.T) {
			text := func(s string) fixture.Object { return fixture.Object{"nl": s, "en": "<p>Fine</p>"} }
			for want, order := range map[string]fixture.Object{
				"audience.project notifications.unknown_project": w.order(fixture.Object{"kind": "project", "project": "NERGENS"}, nil),
				"audience.project required":                      w.order(fixture.Object{"kind": "project"}, nil),
				"audience notifications.no_recipients":           w.order(fixture.Object{"kind": "selection", "relations": []string{}}, nil),
				"audience.relations.1 notifications.unknown_customer": w.order(fixture.Object{"kind": "selection",
					"relations": []string{one.Debtor, "99"}}, nil),
				"message.nl notifications.message_too_long": w.order(toAll, fixture.Object{"message": text(strings.Repeat("a", 20_001))}),
				"message.nl notifications.message_empty": w.order(toAll,
					fixture.Object{"message": text("<script>alert(1)</script><p> </p>")}),
				"title.nl required": w.order(toAll, fixture.Object{"title": fixture.Object{"nl": " ", "en": "x"}}),
				"title.nl too_long": w.order(toAll,
					fixture.Object{"title": fixture.Object{"nl": strings.Repeat("a", 121), "en": "x"}}),
				"publish_at notifications.date_passed": w.order(toAll, fixture.Object{"publish_at": "2026-11-20T10:59:59+01:00"}),
				"id invalid":                           w.order(toAll, fixture.Object{"id": "a b"}),
				"audience.relations notifications.too_many_recipients": w.order(fixture.Object{"kind": "selection",
					"relations": slices.Repeat([]string{"1"}, 5001)}, nil),
			} {
				assert.Contains(t, fixture.RefusedFields(t, w.trySend(order)), want)
			}
			const rest = 1000 // maximum size of the other fields in bytes
			assert.Equal(t, 400, w.trySend(w.order(toAll, fixture.Object{"message": text(strings.Repeat("a", 1<<20-rest))})).Status)
			assert.Equal(t, 413, w.trySend(w.order(toAll, fixture.Object{"message": text(strings.Repeat("a", 1<<20))})).Status)
			require.Empty(t, titles(t, one.Customer, ""), "refused orders send nothing")
		})
		t.Run("9-notification-once", func(t *testing.T) {
			o := w.order(toAll, nil)
			first, second := w.send(t, o), w.send(t, o)
			assert.Equal(t, first["id"], second["id"])
			assert.Len(t, titles(t, one.Customer, ""), 1)
			a := w.trySend(fixture.With(o, fixture.Object{"kind": "news"}))
			assert.Equal(t, []any{422, "notifications.key_reused"}, []any{a.Status, a.Code()})
		})
		t.Run("9-notification-planned", func(t *testing.T) {
			planned := w.send(t, w.order(toProject, fixture.Object{"title": fixture.Object{"nl": "Straks", "en": "Soon"},
				"publish_at": "2026-11-20T12:00:00+01:00"}))
			gone := w.send(t, w.order(toProject, fixture.Object{"publish_at": "2026-11-20T12:00:00+01:00"}))
			state := func(s string) (out []string) {
				for _, n := range fixture.Body[fixture.Object](t, w.Do(portaltest.Call{Path: staffNotifications + "?state=" + s, Bearer: w.staff}),
					200)["items"].([]any) {
					out = append(out, n.(fixture.Object)["id"].(string))
				}
				return out
			}
			assert.ElementsMatch(t, []any{planned["id"], gone["id"]}, state("planned"))
			assert.EqualValues(t, 1, planned["recipients"])
			del := func(id any) portaltest.Answer {
				return w.Do(portaltest.Call{Method: "DELETE", Path: fmt.Sprint(staffNotifications, "/", id), Bearer: w.staff})
			}
			fixture.Body[fixture.Object](t, del(gone["id"]), 204)
			assert.Equal(t, 404, del(gone["id"]).Status)
			assert.NotContains(t, titles(t, one.Customer, ""), "Straks")
			w.Later(t, time.Hour)
			one = w.Again(t, one)
			w.staff = w.Staff("alpha").Bearer
			assert.Equal(t, "Straks", titles(t, one.Customer, "")[0])
			assert.Empty(t, state("planned"))
			assert.Contains(t, state("sent"), planned["id"])
			a := del(planned["id"])
			assert.Equal(t, []any{409, "notifications.sent_already"}, []any{a.Status, a.Code()})
		})
		t.Run("9-notification-back-office", func(t *testing.T) {
			key := func(scopes ...string) string {
				return w.APIKey("alpha", strings.ReplaceAll(scopes[0], ":", " "), scopes...).Bearer
			}
			write, read := key("notifications:write"), key("notifications:read")
			planned := fixture.Object{"publish_at": w.Now().Add(time.Hour).Truncate(time.Second)}
			call := func(bearer, method, path string, body any) portaltest.Answer {
				return w.Do(portaltest.Call{Method: method, Path: staffNotifications + path, Bearer: bearer, Body: body})
			}
			fixture.Body[fixture.Object](t, call(write, "POST", "", w.order(toProject,
				fixture.Object{"title": fixture.Object{"nl": "Van het CRM", "en": "CRM"}})), 200)
			assert.Equal(t, "Van het CRM", titles(t, one.Customer, "")[0])
			fixture.Body[fixture.Object](t, call(w.APIKey("alpha", "unlimited").Bearer, "GET", "", nil), 200)
			for _, a := range []portaltest.Answer{call(read, "POST", "", w.order(toAll, nil)), call(write, "GET", "", nil),
				call(key("billing:write"), "POST", "", w.order(toAll, nil)), call(read, "DELETE", "/x", nil)} {
				assert.Equal(t, []any{403, "key_scope_missing"}, []any{a.Status, a.Code()})
			}
			fixture.Body[fixture.Object](t, call(read, "GET", "", nil), 200)
			fixture.Body[fixture.Object](t, call(read, "POST", "/preview", draft(toAll)), 200)
			id := fixture.Body[fixture.Object](t, call(write, "POST", "", w.order(toProject, planned)), 200)["id"].(string)
			assert.Equal(t, 403, call(read, "DELETE", "/"+id, nil).Status)
			fixture.Body[fixture.Object](t, call(write, "DELETE", "/"+id, nil), 204)
			assert.Equal(t, 404, call(write, "DELETE", "/"+id, nil).Status, "withdrawn")
		})
	})
}

func TestNotificationMails(t *testing.T) {
	t.Parallel()
	eachSender(t, "", func(t *testing.T, w *sender) {
		one, two := w.With(t, 5), w.With(t, 5)
		mails := func(m fixture.Member) int {
			all := w.Mails("")
			n := 0
			for _, x := range all {
				if x.Mail.To == m.Email {
					n++
				}
			}
			return n
		}
		// mailed waits until the two customers have received the given numbers of emails.
		mailed := func(t *testing.T, first, second int, why ...any) {
			t.Helper()
			got := []int{}
			defer func() { assert.Equal(t, []int{first, second}, got, why...) }()
			w.Portal.Eventually(func() bool { got = []int{mails(one), mails(two)}; return got[0] == first && got[1] == second })
		}
		put := func(c fixture.Customer, kinds ...fixture.Object) portaltest.Answer {
			return c.Do("PUT", "/sustainable/notifications/preferences", fixture.Object{"kinds": kinds})
		}
		t.Run("9-notification-preferences", func(t *testing.T) {
			of := func() map[string]fixture.Object {
				out := map[string]fixture.Object{}
				for _, k := range one.Get(t, "/sustainable/notifications/preferences")["kinds"].([]any) {
					out[k.(fixture.Object)["kind"].(string)] = k.(fixture.Object)
				}
				return out
			}
			require.Len(t, of(), 6)
			assert.Equal(t, fixture.Object{"kind": "project", "portal": true, "mail": true, "fixed": false}, of()["project"])
			assert.Equal(t, fixture.Object{"kind": "news", "portal": true, "mail": false, "fixed": false}, of()["news"])
			fixture.Body[fixture.Object](t, put(one.Customer, fixture.Object{"kind": "news", "portal": false, "mail": true}), 200)
			assert.Equal(t, fixture.Object{"kind": "news", "portal": false, "mail": true, "fixed": false}, of()["news"])
			assert.Equal(t, true, of()["project"]["mail"], "other kinds stay unchanged")
			w.send(t, w.order(toAll, fixture.Object{"kind": "news", "mail": true, "title": fixture.Object{"nl": "Nieuws", "en": "News"}}))
			assert.NotContains(t, titles(t, one.Customer, ""), "Nieuws")
			assert.Contains(t, titles(t, two.Customer, ""), "Nieuws")
			mailed(t, 1, 0)
			fixture.Body[fixture.Object](t, put(one.Customer, fixture.Object{"kind": "news", "portal": true, "mail": false}), 200)
		})
		t.Run("9-notification-kinds-fixed", func(t *testing.T) {
			for _, kind := range []string{"security", "contract", "payment"} {
				assert.ElementsMatch(t, []string{"kinds.0.portal notifications.kind_fixed", "kinds.0.mail notifications.kind_fixed"},
					fixture.RefusedFields(t, put(one.Customer, fixture.Object{"kind": kind, "portal": false, "mail": false})))
				before := []int{mails(one), mails(two)}
				w.send(t, w.order(toProject, fixture.Object{"kind": kind, "mail": true}))
				mailed(t, before[0]+1, before[1]+1, kind)
				assert.Nil(t, fixture.MailsTo(t, w.Portal, one.Email)[0].Mail.Unsubscribe, "fixed kinds have no unsubscribe link")
			}
		})
		t.Run("9-notification-unsubscribe,7-public-calls", func(t *testing.T) {
			choices := func(c fixture.Customer) map[any]any { // portal and mail, by kind
				out := map[any]any{}
				for _, k := range c.Get(t, "/sustainable/notifications/preferences")["kinds"].([]any) {
					k := k.(fixture.Object)
					out[k["kind"]] = [2]any{k["portal"], k["mail"]}
				}
				return out
			}
			for _, m := range []fixture.Member{one, two} {
				fixture.Body[fixture.Object](t, put(m.Customer, fixture.Object{"kind": "news", "portal": true, "mail": true},
					fixture.Object{"kind": "market", "portal": true, "mail": true}), 200)
			}
			want := choices(one.Customer)
			before := []int{mails(one), mails(two)}
			sent := w.send(t, w.order(toProject, fixture.Object{"mail": true}))
			mailed(t, before[0]+1, before[1]+1, "one each")
			m := fixture.MailsTo(t, w.Portal, one.Email)[0]
			require.NotNil(t, m.Mail.Unsubscribe)
			path := m.Mail.Unsubscribe.Call
			assert.Contains(t, m.HTML()+m.Text(), "http://alpha.localhost:8080/unsubscribe?token="+
				strings.TrimPrefix(path, "/notifications/unsubscribe/"))
			got := fixture.Body[fixture.Object](t, w.Do(portaltest.Call{Path: path}), 200)
			assert.Equal(t, fixture.Object{"kind": "project", "label": "Alpha Energie", "done": false}, got)
			assert.Equal(t, want, choices(one.Customer), "a look changes nothing")
			w.send(t, w.order(toProject, fixture.Object{"mail": true}))
			mailed(t, before[0]+2, before[1]+2, "a look ends nothing")
			for range 2 { // mail programs may send the request twice
				a := w.Do(portaltest.Call{Method: "POST", Path: path, Body: "List-Unsubscribe=One-Click",
					Header: map[string]string{"Content-Type": "application/x-www-form-urlencoded"}})
				require.Equal(t, 204, a.Status, string(a.Body))
			}
			assert.Equal(t, want, choices(two.Customer), "of another customer")
			want["project"] = [2]any{true, false}
			assert.Equal(t, want, choices(one.Customer), "mails of this kind only")
			assert.Equal(t, true, fixture.Body[fixture.Object](t, w.Do(portaltest.Call{Path: path}), 200)["done"])
			w.send(t, w.order(toProject, fixture.Object{"mail": true, "title": fixture.Object{"nl": "Na het afmelden", "en": "After"}}))
			mailed(t, before[0]+2, before[1]+3, "and for nobody else")
			assert.Contains(t, titles(t, one.Customer, ""), "Na het afmelden", "notifications stay in the portal")
			fixture.Body[fixture.Object](t, put(one.Customer, fixture.Object{"kind": "project", "portal": true, "mail": true}), 200)
			require.Equal(t, 204, w.Do(portaltest.Call{Method: "POST", Path: path}).Status, "without a body, from the page")
			for _, junk := range []string{"x", strings.Repeat("a", 199), path[:len(path)-2]} {
				a := w.Do(portaltest.Call{Method: "POST", Path: "/notifications/unsubscribe/" +
					strings.TrimPrefix(junk, "/notifications/unsubscribe/")})
				assert.Equal(t, 404, a.Status, junk)
			}
			listed := fixture.Body[fixture.Object](t, w.Do(portaltest.Call{Path: staffNotifications, Bearer: w.staff}), 200)["items"].([]any)
			for _, n := range listed {
				if n := n.(fixture.Object); n["id"] == sent["id"] {
					assert.EqualValues(t, 2, n["mails"])
				}
			}
		})
	})
}

// A notification to very many customers needs one row and many short transactions, even if the portal is restarted in between.
func TestNotificationsToMany(t *testing.T) {
	t.Parallel()
	eachSender(t, "", func(t *testing.T, w *sender) {
		t.Run("9-notification-many", func(t *testing.T) {
			const many = 401 // three pages of at most 200 readers; with larger pages it would be two
			for from := 0; from < many; from += 150 {
				var rows []fixture.Object
				for i := range min(150, many-from) {
					n := fmt.Sprint("M", 10000+from+i)
					rows = append(rows, fixture.Object{"username": "user" + n, "email": n + "@leden.example", "name": "Lid", "debtor_number": n,
						"role": "customer", "temporary_password": "Proefpersoon1"})
				}
				require.Empty(t, fixture.Records(t, w.Portal, "account", rows...))
			}
			sent := w.send(t, w.order(toAll, fixture.Object{"mail": true}))
			assert.EqualValues(t, many, sent["recipients"])
			var rows int
			require.NoError(t, w.DB().NewRaw("SELECT count(*) FROM notifications_outbox").Scan(t.Context(), &rows))
			assert.LessOrEqual(t, rows, 2, "the number of rows does not depend on the number of readers")
			got := map[string]int{}
			w.Portal.Eventually(func() bool {
				var kinds []struct {
					Kind string
					N    int
				}
				require.NoError(t, w.DB().NewRaw("SELECT kind, count(*) AS n FROM outbox_messages WHERE module = 'notifications' GROUP BY kind").Scan(t.Context(), &kinds))
				for _, k := range kinds {
					got[k.Kind] = k.N
				}
				return got["mail"] >= many
			})
			assert.Equal(t, map[string]int{"event": 4, "mail": many}, got, "one publication and three pages of mails")
			to := map[string]bool{}
			w.Portal.Eventually(func() bool {
				for _, m := range w.Mails("") {
					to[m.Mail.To] = true
				}
				return len(to) >= many
			}, "one mail to each reader")
		})
	})
}

func TestImportedNotifications(t *testing.T) {
	t.Parallel()
	eachSender(t, "", func(t *testing.T, w *sender) {
		one, two := w.With(t, 5), w.With(t, 0)
		record := func(id string, changes fixture.Object) fixture.Object {
			return fixture.With(fixture.Object{"id": id, "title": id, "message": "<p>Tekst</p>", "published": "2026-03-01T09:00:00+01:00"}, changes)
		}
		t.Run("9-notification-import", func(t *testing.T) {
			all := []fixture.Object{record("iedereen", nil), record("project", fixture.Object{"project_code": fixture.MarketProject,
				"published": "2025-06-01"}),
				record("een", fixture.Object{"debtor_number": two.Debtor, "published": "2026-04-01T09:00:00Z",
					"title": fixture.Object{"nl": "Een", "en": "One"}}),
				record("gelezen", fixture.Object{"read": true, "published": "2024-01-01"}),
				record("gepland", fixture.Object{"published": "2026-12-01"})}
			for range 2 {
				require.Empty(t, fixture.Records(t, w.Portal, "notification", all...))
			}
			assert.Equal(t, []string{"iedereen", "project", "gelezen"}, titles(t, one.Customer, ""))
			assert.Equal(t, []string{"Een", "iedereen", "gelezen"}, titles(t, two.Customer, ""))
			assert.Equal(t, 2, unread(t, one.Customer))
			first := two.List(t, "/sustainable/notifications?locale=en")[0]
			assert.Equal(t, "One", first["title"])
			fixture.Body[fixture.Object](t, two.Post("/sustainable/notifications/"+first["id"].(string)+"/read", nil), 204)
			require.Empty(t, fixture.Records(t, w.Portal, "notification", fixture.With(all[2], fixture.Object{"title": "Anders"})))
			got := two.List(t, "/sustainable/notifications")[0]
			assert.Equal(t, []any{"Anders", true}, []any{got["title"], got["read"]}, "a read notification stays read")
			w.Later(t, 11*24*time.Hour)
			assert.Equal(t, "gepland", titles(t, w.Again(t, one).Customer, "")[0])
		})
		t.Run("9-notification-import-refused", func(t *testing.T) {
			for want, r := range map[string]fixture.Object{
				"id required":        record("", nil),
				"published required": record("a", fixture.Object{"published": nil}),
				"published invalid":  record("a", fixture.Object{"published": "31-12-2025"}),
				"project_code notifications.unknown_project": record("a", fixture.Object{"project_code": "NERGENS"}),
				"message.nl notifications.message_empty":     record("a", fixture.Object{"message": "<img src=x onerror=alert(1)>"}),
				"message.en notifications.message_too_long":  record("a", fixture.Object{"message": strings.Repeat("a", 20_001)}),
				"title.nl required":                          record("a", fixture.Object{"title": ""}),
				"kind invalid":                               record("a", fixture.Object{"kind": "spam"}),
				"read invalid":                               record("a", fixture.Object{"read": "misschien"}),
			} {
				var got []string
				for _, no := range fixture.Records(t, w.Portal, "notification", r) {
					got = append(got, no.Field+" "+no.Code)
				}
				assert.Contains(t, got, want)
			}
			require.Empty(t, fixture.Records(t, w.Portal, "notification", record("lang", fixture.Object{"message": strings.Repeat("a", 20_000)})))
		})
	})
}

// Tests which demo labels have notifications, and which notices they show on which day.
func TestNotificationsOfTheDemo(t *testing.T) {
	t.Parallel()
	s := portaltest.Start(t, portaltest.Options{Modules: modules.All, LabelsDir: "../../labels"})
	notices := func(t *testing.T, key, locale string) map[string]fixture.Object {
		t.Helper()
		out := map[string]fixture.Object{}
		relation := value.StableID(key, "relation", "notices")
		a := s.Do(portaltest.Call{Host: key + ".localhost", Path: "/sustainable/notices?locale=" + locale,
			Bearer: s.Customer(key, relation).Bearer})
		for _, n := range fixture.Body[[]fixture.Object](t, a, 200) {
			out[n["id"].(string)] = n
		}
		return out
	}
	on := func(t *testing.T, day string) {
		t.Helper()
		at, err := time.Parse(time.RFC3339, day+"T12:00:00+01:00")
		require.NoError(t, err)
		s.SetClock(at)
	}
	t.Run("2.1-notifications-labels", func(t *testing.T) {
		have := []string{}
		for _, key := range s.LabelKeys() {
			var set struct{ Inbox bool }
			if s.LabelSettings(key, "notifications", &set) && set.Inbox {
				have = append(have, key)
			}
		}
		assert.Equal(t, []string{"1024", "1060", "1071"}, slices.Sorted(slices.Values(have)))
		for _, key := range s.LabelKeys() {
			a := s.Do(portaltest.Call{Host: key + ".localhost", Path: "/sustainable/notifications", Bearer: s.Customer(key, "r1").Bearer})
			if slices.Contains(have, key) {
				assert.Equal(t, 200, a.Status, key)
				continue
			}
			assert.Equal(t, []any{404, "module_not_enabled"}, []any{a.Status, a.Code()}, key)
		}
	})
	t.Run("1-market-messages-labels,9-solar-deduction", func(t *testing.T) {
		on(t, "2026-11-22")
		var with []string
		for _, key := range s.LabelKeys() {
			for _, n := range notices(t, key, "nl") {
				if n["kind"] == "market_message" {
					with = append(with, key)
				}
			}
		}
		assert.ElementsMatch(t, []string{"1024", "1071"}, slices.Compact(slices.Sorted(slices.Values(with))))
		n := notices(t, "1024", "nl")["solar-deduction"]
		require.NotNil(t, n)
		assert.Equal(t, "market_message", n["kind"])
		assert.Contains(t, n["message"], "<b>125 kWh per eenheid</b> zonproductie")
		assert.Contains(t, notices(t, "1024", "en")["solar-deduction"]["message"], "<b>125 kWh per unit</b> of solar production")
	})
	t.Run("9-compensation-notice", func(t *testing.T) {
		for day, want := range map[string]bool{"2026-11-23": false, "2026-11-24": true, "2026-11-30": true, "2026-12-01": false,
			"2026-12-23": false, "2026-12-24": true, "2026-12-31": true, "2027-01-01": false} {
			on(t, day)
			for _, locale := range []string{"nl", "en"} {
				found := 0
				for id, n := range notices(t, "1024", locale) {
					if strings.HasPrefix(id, "compensation-") {
						found++
						assert.Contains(t, n["message"], "€ 190")
					}
				}
				assert.Equal(t, want, found == 1, "%s: %d", day, found)
			}
		}
	})
}
