package acme_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/portaltest"
	acme "github.com/wattle-portal/wattle/docs/example-module"
	"github.com/wattle-portal/wattle/docs/example-module/acmeapi"
)

func TestModule(t *testing.T) {
	moduletest.Run(t, acme.Module, moduletest.Options{
		Main:     "./plugin",
		Settings: acme.Settings{MaxNotes: 10},
		Records:  []moduletest.Record{{Kind: "acme_note", Data: `{"relation":"relation-1","id":"a","text":"one"}`}},
		State:    []moduletest.Call{{Path: "/acme/notes"}},
		Writes: map[string]moduletest.Call{
			"saveNote": {Method: "PUT", Path: "/acme/notes/b", Body: `{"text":"two"}`},
			"askLimit": {Method: "POST", Path: "/acme/limit", Body: `{"amount":5}`},
		},
		Events: []module.Event{
			{Type: acmeapi.EventNoteSaved, Key: "a", Data: []byte(`{"length":3}`)},
			{Type: acmeapi.EventWeek, Data: []byte(`{"tick":"2026-11-23T07:00:00+01:00"}`)},
		},
		Changes: map[string]moduletest.Call{"acme.limit": {Method: "POST", Path: "/acme/limit", Body: `{"amount":5}`}},
	})
}

func TestNotes(t *testing.T) {
	portaltest.Each(t, portaltest.Options{Modules: []module.Module{acme.Module}}, func(t *testing.T, p *portaltest.Portal) {
		customer, other := p.Customer("alpha", "r1"), p.Customer("alpha", "r2")
		require.Empty(t, p.Import("alpha", "acme_note", `{"relation": "r1", "id": "a", "text": "from before"}`))
		require.Equal(t, http.StatusOK, customer.Do("PUT", "/acme/notes/b", map[string]string{"text": "new"}).Status)

		var mine, theirs []struct{ ID, Text string }
		customer.Get("/acme/notes", &mine)
		other.Get("/acme/notes", &theirs)
		require.Len(t, mine, 2)
		require.Empty(t, theirs)

		require.Contains(t, p.MailTo("service@acme.example", nil).Text(), "Notitie b is bewaard.")
		require.Equal(t, http.StatusForbidden, customer.Do("GET", "/acme/all", nil).Status)
		require.Equal(t, http.StatusOK, p.APIKey("alpha", "crm").Do("GET", "/acme/all", nil).Status)
	})
}

func TestLimitOfNotes(t *testing.T) {
	o := portaltest.Options{Modules: []module.Module{acme.Module}, CUE: "modules: acme: max_notes: 1"}
	portaltest.Each(t, o, func(t *testing.T, p *portaltest.Portal) {
		customer := p.Customer("alpha", "r1")
		require.Equal(t, http.StatusOK, customer.Do("PUT", "/acme/notes/a", map[string]string{"text": "one"}).Status)
		full := customer.Do("PUT", "/acme/notes/b", map[string]string{"text": "two"})
		require.Equal(t, http.StatusConflict, full.Status)
		require.Equal(t, "acme.notes_full", full.Code())
		require.Equal(t, http.StatusOK, customer.Do("PUT", "/acme/notes/a", map[string]string{"text": "changed"}).Status)
	})
}

func TestWeeklyMail(t *testing.T) {
	portaltest.Each(t, portaltest.Options{Modules: []module.Module{acme.Module}}, func(t *testing.T, p *portaltest.Portal) {
		require.Empty(t, p.Import("alpha", "acme_note", `{"relation": "r1", "id": "a", "text": "one"}`, `{"relation": "r2", "id": "a", "text": "two"}`))
		p.RunSchedules() // from now on the schedule runs
		p.Pass(7 * 24 * time.Hour)
		weekly := p.MailTo("service@acme.example", func(m portaltest.Mail) bool { return m.Label == "alpha" && m.Subject == "Notities van klanten" })
		require.Contains(t, weekly.Text(), "Er zijn 2 notities van klanten.")
	})
}
