package outages_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.org/outages/modules/outages"
	"example.org/outages/modules/outages/outagesapi"
	"github.com/wattle-portal/wattle/core/coreapi"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/portaltest"
	"github.com/wattle-portal/wattle/modules/account"
	"github.com/wattle-portal/wattle/modules/account/accountapi"
)

type body[T any] struct{ Body T }

func TestModule(t *testing.T) {
	addresses := func(a huma.API) {
		op := huma.Operation{Method: http.MethodGet, Path: "/relations/addresses", OperationID: "listAddresses"}
		module.Route(a, op, module.Customer, module.Read, func(context.Context, *struct{}) (*body[[]accountapi.Address], error) {
			return &body[[]accountapi.Address]{[]accountapi.Address{{AddressType: "SHIPPING", Street: "Laan", HouseNumber: "1", ZipCode: "2555BX",
				City: "Den Haag"}}}, nil
		})
	}
	boxes := func(a huma.API) {
		op := huma.Operation{Method: http.MethodPost, Path: "/accounts/mailboxes", OperationID: "listMailboxes"}
		module.Route(a, op, module.Sibling, module.Read, func(_ context.Context, in *body[coreapi.MailboxesInputBody]) (*body[[]coreapi.Mailbox],
			error) {
			out := []coreapi.Mailbox{}
			for _, r := range in.Body.Relations {
				out = append(out, coreapi.Mailbox{Relation: r, Email: r + "@voorbeeld.example", Locale: "nl"})
			}
			return &body[[]coreapi.Mailbox]{out}, nil
		})
	}
	staff := module.Scope{Role: module.RoleStaff, Subject: "sam", Actor: "sam"}
	const report = `{"commodity":"gas","areas":["2555"],"starts_at":"2026-11-20T08:00:00Z","changed_at":"2026-11-20T08:05:00Z"}`
	moduletest.Run(t, outages.Module, moduletest.Options{
		Main:     "./plugin",
		Settings: outages.Settings{FaultNumber: "0800 9009", AnnounceDays: 14, KeepDays: 3},
		Siblings: []module.Module{moduletest.Fake("core", boxes), moduletest.Fake("account", addresses)},
		Records: []moduletest.Record{{Kind: "outages_report",
			Data: `{"id":"a","commodity":"electricity","areas":"2555BX","starts_at":"2026-11-20 09:00","changed_at":"2026-11-20 09:05"}`}},
		Prepare: []moduletest.Call{{Method: "PUT", Path: "/outages/subscription", Body: `{"subscribed":true}`}},
		State:   []moduletest.Call{{Path: "/outages"}, {Path: "/staff/outages", As: staff}},
		Writes: map[string]moduletest.Call{
			"subscribe":    {Method: "PUT", Path: "/outages/subscription", Body: `{"subscribed":false}`},
			"saveOutage":   {Method: "PUT", Path: "/staff/outages/b", Body: report, As: staff},
			"deleteOutage": {Method: "DELETE", Path: "/staff/outages/a", As: staff},
		},
		Skip: map[string]string{outagesapi.EventMailsDue: "it needs more than 200 subscribers: TestManySubscribers"},
		Events: []module.Event{
			{Type: outagesapi.EventChanged, Key: "a", Data: []byte(`{"change":"reported","commodity":"electricity","planned":false}`)},
			{Type: outagesapi.EventChanged, Key: "gone", Data: []byte(`{"change":"reported","commodity":"electricity","planned":false}`)},
			{Type: outagesapi.EventMailsDue, Key: "a", Data: []byte(`{"change":"reported","after":"x"}`)},
			{Type: outagesapi.EventNight, Data: []byte(`{"tick":"2026-11-23T03:30:00+01:00"}`)},
		},
	})
}

// world is a portal with two customers: one with a house in 2555 BX and an invoice address elsewhere, and one in 3511 CD.
type world struct {
	*portaltest.Portal
	here, there, staff portaltest.Caller
}

func each(t *testing.T, f func(*testing.T, *world)) {
	t.Helper()
	portaltest.Each(t, portaltest.Options{Modules: []module.Module{account.Module, outages.Module}}, func(t *testing.T, p *portaltest.Portal) {
		w := &world{Portal: p, staff: p.Staff("alpha")}
		w.here = w.customer(t, "10000001", "here@voorbeeld.example", "nl",
			`{"address_type":"INVOICE","street":"Postbus","house_number":"9","house_number_extension":"","zip_code":"1234AB","city":"Zwolle","connections":[]}`,
			shipping("Laan", "2555BX"))
		w.there = w.customer(t, "10000002", "there@voorbeeld.example", "en", shipping("Gracht", "3511CD"))
		f(t, w)
	})
}

func shipping(street, zip string) string {
	return fmt.Sprintf(`{"address_type":"SHIPPING","street":%q,"house_number":"1","house_number_extension":"A","zip_code":%q,"city":"Stad","connections":[]}`, street, zip)
}

func (w *world) customer(t *testing.T, debtor, email, locale string, addresses ...string) portaltest.Caller {
	t.Helper()
	require.Empty(t, w.Import("alpha", "relation",
		fmt.Sprintf(`{"debtor_number":%q,"relation_since":"2020-05-01","salutation":"MRS","initials":"D.","prefix":"","last_name":"Klant","email":%q,"phone_number":"0612345678","addresses":[%s]}`,
			debtor, email, strings.Join(addresses, ","))))
	return w.SignIn(portaltest.Account{Label: "alpha", Relation: account.RelationID("alpha", debtor), Username: "user" + debtor, Email: email,
		Locale: locale})
}

// near returns the ids and states of the outages that a customer sees.
func near(c portaltest.Caller) (out []string) {
	var seen outages.Near
	c.Get("/outages", &seen)
	out = []string{}
	for _, o := range seen.Items {
		out = append(out, o.ID+" "+o.State)
	}
	return out
}

type object = map[string]any

// report reports an outage as a caller.
func report(c portaltest.Caller, id string, more object) portaltest.Answer {
	o := object{"commodity": "electricity", "areas": []string{"2555 bx"}, "starts_at": portaltest.Begin.Add(-time.Hour)}
	for k, v := range more {
		o[k] = v
	}
	return c.Do("PUT", "/staff/outages/"+id, o)
}

func TestNear(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		after := func(d time.Duration) time.Time { return portaltest.Begin.Add(d) }
		const day = 24 * time.Hour
		require.Equal(t, 200, report(w.staff, "fault", nil).Status)
		require.Equal(t, 200, report(w.staff, "elsewhere", object{"areas": []string{"3511"}}).Status)
		require.Equal(t, 200, report(w.staff, "invoice", object{"areas": []string{"1234"}}).Status)
		require.Equal(t, 200, report(w.staff, "work", object{"planned": true, "starts_at": after(2 * day),
			"expected_end": after(3 * day)}).Status)
		require.Equal(t, 200, report(w.staff, "sooner", object{"planned": true, "starts_at": after(day), "expected_end": after(2 * day)}).Status)
		require.Equal(t, 200, report(w.staff, "next-month", object{"planned": true, "starts_at": after(20 * day),
			"expected_end": after(21 * day)}).Status)
		require.Equal(t, 200, report(w.staff, "over", object{"ended_at": after(-time.Minute)}).Status)
		require.Equal(t, 200, report(w.staff, "long-over", object{"starts_at": after(-5 * day), "ended_at": after(-4 * day)}).Status)

		assert.Equal(t, []string{"fault active", "sooner planned", "work planned", "over ended"}, near(w.here))
		assert.Equal(t, []string{"elsewhere active"}, near(w.there))
		var seen outages.Near
		w.here.Get("/outages", &seen)
		require.Len(t, seen.Addresses, 1, "an invoice address has no power to lose")
		assert.Equal(t, "1A", seen.Addresses[0].HouseNumber)
		assert.Equal(t, seen.Addresses, seen.Items[0].Addresses)
	})
}

func TestReports(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		require.Equal(t, http.StatusForbidden, report(w.here, "mine", nil).Status)
		pusher := w.APIKey("alpha", "operator")
		require.Equal(t, 200, report(pusher, "a", object{"operator": "Net", "changed_at": portaltest.Begin.Add(time.Minute)}).Status)

		var stored outages.Reported
		late := report(pusher, "a", object{"operator": "Older", "changed_at": portaltest.Begin})
		require.Equal(t, 200, late.Status)
		late.JSON(t, &stored)
		assert.Equal(t, "Net", stored.Operator, "an older report changes nothing")
		assert.Equal(t, []string{"2555BX"}, stored.Areas)

		require.Equal(t, 200, report(w.staff, "a", object{"operator": "Staff"}).Status)
		ahead := report(pusher, "ahead", object{"changed_at": portaltest.Begin.Add(time.Hour)})
		require.Equal(t, 200, ahead.Status)
		report(w.staff, "ahead", object{"operator": "Staff"}).JSON(t, &stored)
		assert.Equal(t, "Staff", stored.Operator, "what staff say counts, also when the clock of the source is ahead")

		refused := report(pusher, "b", object{"areas": []string{"12"}, "planned": true, "ended_at": portaltest.Begin.Add(-2 * time.Hour)})
		assert.Equal(t, http.StatusBadRequest, refused.Status)
		for _, want := range []string{"outages.area_invalid", "outages.end_required", "outages.end_before_start"} {
			assert.Contains(t, string(refused.Body), want)
		}

		require.Equal(t, http.StatusNoContent, w.staff.Do("DELETE", "/staff/outages/a", nil).Status)
		require.Equal(t, http.StatusNotFound, w.staff.Do("DELETE", "/staff/outages/a", nil).Status)
		assert.Equal(t, []string{"ahead active"}, near(w.here))
	})
}

func TestPagesOfStaff(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		records := []any{}
		for i := range 120 {
			records = append(records, fmt.Sprintf(`{"id":"o%03d","commodity":"gas","areas":"2555","starts_at":"2026-11-%02dT08:00:00Z","ended_at":"2026-11-19T08:00:00Z"}`, i, 1+i%10))
		}
		require.Empty(t, w.Import("alpha", "outages_report", records...))
		seen, after := map[string]bool{}, ""
		for page := 0; ; page++ {
			var list struct {
				Items []outages.Reported
				Next  string
			}
			w.staff.Get("/staff/outages?after="+after, &list)
			for _, o := range list.Items {
				require.False(t, seen[o.ID], o.ID)
				seen[o.ID] = true
			}
			if after = list.Next; after == "" {
				require.Equal(t, 2, page)
				break
			}
		}
		assert.Len(t, seen, 120)
		assert.Equal(t, http.StatusNotFound, w.staff.Do("GET", "/staff/outages?after=unknown", nil).Status)
	})
}

func TestImport(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		require.Empty(t, w.Import("alpha", "outages_report",
			`{"id":"a","commodity":"gas","planned":"true","areas":"2555bx 3511","starts_at":"2026-11-20 09:00","expected_end":"2026-11-20 15:00","operator":"Net"}`))
		assert.Equal(t, []string{"a active"}, near(w.here))
		var seen outages.Near
		w.there.Get("/outages", &seen)
		require.Len(t, seen.Items, 1)
		assert.Equal(t, "2026-11-20T08:00:00Z", seen.Items[0].StartsAt.UTC().Format(time.RFC3339), "a time without offset is of the label's zone")

		for record, want := range map[string]string{
			`{"commodity":"gas","areas":"2555","starts_at":"2026-11-20 09:00"}`:                            "id required",
			`{"id":"b","commodity":"water","areas":"2555","starts_at":"2026-11-20 09:00"}`:                 "commodity invalid",
			`{"id":"b","commodity":"gas","areas":"2555","starts_at":"yesterday"}`:                          "starts_at invalid",
			`{"id":"b","commodity":"gas","areas":"2555"}`:                                                  "starts_at required",
			`{"id":"b","commodity":"gas","areas":"Den Haag","starts_at":"2026-11-20 09:00"}`:               "areas outages.area_invalid",
			`{"id":"b","commodity":"gas","planned":"maybe","areas":"2555","starts_at":"2026-11-20 09:00"}`: "planned invalid",
			`{"id":"b","commodity":"gas","areas":"2555","starts_at":"2026-11-20 09:00","operator":"` + strings.Repeat("x", 81) +
				`"}`: "operator too_long",
		} {
			refused := w.Import("alpha", "outages_report", record)
			require.Len(t, refused, 1, record)
			assert.Equal(t, want, refused[0].Field+" "+refused[0].Code)
		}
	})
}

func TestMails(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		subscribe := func(c portaltest.Caller, on bool) {
			require.Equal(t, http.StatusNoContent, c.Do("PUT", "/outages/subscription", object{"subscribed": on}).Status)
		}
		subscribe(w.here, true)
		subscribe(w.there, true)
		var seen outages.Near
		w.here.Get("/outages", &seen)
		require.True(t, seen.Subscribed)

		require.Equal(t, 200, report(w.staff, "a", object{"areas": []string{"2555"},
			"text": object{"nl": "Een kabel is kapot.", "en": "A cable is broken."}}).Status)
		told := w.MailTo("here@voorbeeld.example", func(m portaltest.Mail) bool { return m.Subject == "Stroomstoring bij jou in de buurt" })
		assert.Contains(t, told.Text(), "Een kabel is kapot.")
		assert.Contains(t, told.Text(), "Sinds 20-11-2026 10:00", "in the zone of the label")
		assert.NotContains(t, told.Text(), "Verwacht einde", "unknown")

		require.Equal(t, 200, report(w.staff, "a", object{"areas": []string{"2555"}, "ended_at": w.Now()}).Status)
		w.MailTo("here@voorbeeld.example", func(m portaltest.Mail) bool { return m.Subject == "De storing bij jou in de buurt is voorbij" })
		require.Len(t, w.Mails("here@voorbeeld.example"), 2)
		assert.Empty(t, w.Mails("there@voorbeeld.example"))
		var list struct{ Items []outages.Reported }
		w.staff.Get("/staff/outages", &list)
		assert.EqualValues(t, 2, list.Items[0].Mails)

		require.Equal(t, 200, report(w.staff, "b", object{"areas": []string{"3511"}, "commodity": "gas"}).Status)
		w.MailTo("there@voorbeeld.example", func(m portaltest.Mail) bool { return m.Subject == "Gas outage near you" })

		subscribe(w.here, false)
		require.Equal(t, 200, report(w.staff, "c", object{"areas": []string{"2555", "3511"}}).Status)
		w.MailTo("there@voorbeeld.example", func(m portaltest.Mail) bool { return m.Subject == "Power outage near you" })
		w.Deliver()
		require.Len(t, w.Mails("here@voorbeeld.example"), 2, "who switched them off gets none")
	})
}

// More subscribers than fit on a page get one email each.
func TestManySubscribers(t *testing.T) {
	p := portaltest.Start(t, portaltest.Options{Modules: []module.Module{account.Module, outages.Module}})
	w := &world{Portal: p, staff: p.Staff("alpha")}
	const many = 203
	for i := range many {
		c := w.customer(t, fmt.Sprint(10000000+i), fmt.Sprintf("c%d@voorbeeld.example", i), "nl", shipping("Laan", "2555BX"))
		require.Equal(t, http.StatusNoContent, c.Do("PUT", "/outages/subscription", object{"subscribed": true}).Status)
	}
	require.Equal(t, 200, report(w.staff, "a", nil).Status)
	p.Eventually(func() bool { return len(p.Mails("")) >= many })
	p.Deliver()
	got := map[string]int{}
	for _, m := range p.Mails("") {
		got[m.To]++
	}
	require.Len(t, got, many)
	for to, n := range got {
		require.Equal(t, 1, n, to)
	}
}

func TestNight(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		require.Equal(t, 200, report(w.staff, "old", object{"ended_at": portaltest.Begin.Add(-time.Minute)}).Status)
		require.Equal(t, 200, report(w.staff, "open", nil).Status)
		w.RunSchedules() // from now on the schedule runs
		w.Advance(91 * 24 * time.Hour)
		staff := w.Staff("alpha")
		w.Eventually(func() bool {
			var list struct{ Items []outages.Reported }
			staff.Get("/staff/outages", &list)
			return len(list.Items) == 1 && list.Items[0].ID == "open"
		})
	})
}
