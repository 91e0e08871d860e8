package portaltest_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/portaltest"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/record"
	acme "github.com/wattle-portal/wattle/docs/example-module"
)

var options = portaltest.Options{Modules: []module.Module{acme.Module}}

// 9-portaltest: what a test of another team's module needs, on both databases.
func TestPortal(t *testing.T) {
	portaltest.Each(t, options, func(t *testing.T, p *portaltest.Portal) {
		t.Run("9-portaltest", func(t *testing.T) {
			p := p.For(t)
			customer, other, elsewhere := p.Customer("alpha", "r1"), p.Customer("alpha", "r2"), p.Customer("beta", "r1")
			read := func(c portaltest.Caller) (texts []string) {
				var all []struct{ Text string }
				c.Get("/acme/notes", &all)
				for _, n := range all {
					texts = append(texts, n.Text)
				}
				return texts
			}
			require.Equal(t, http.StatusOK, customer.Do("PUT", "/acme/notes/b", map[string]string{"text": "two"}).Status)
			refused := p.Import("alpha", "acme_note", map[string]string{"relation": "r1", "id": "a", "text": "one"}, `{"relation": "r1"}`, json.RawMessage(`{"relation": "r2", "id": "a", "text": "theirs"}`))
			assert.Equal(t, []record.Refusal{{Line: 2, Field: "id", Code: problem.CodeRequired}}, refused)
			assert.Equal(t, []string{"one", "two"}, read(customer))
			assert.Equal(t, []string{"theirs"}, read(other))
			assert.Empty(t, read(elsewhere), "another label")

			for who, c := range map[string]struct {
				portaltest.Caller
				want int
			}{
				"customer": {customer, 403}, "staff": {p.Staff("alpha"), 200}, "nobody": {p.Nobody("alpha"), 401}, "impersonator": {p.Impersonator("alpha", "r1"), 403},
				"key": {p.APIKey("alpha", "crm"), 200}, "key of another label": {p.APIKey("beta", "crm"), 200},
			} {
				assert.Equal(t, c.want, c.Do("GET", "/acme/all", nil).Status, who)
			}
			helper := p.Impersonator("alpha", "r1")
			assert.Equal(t, []string{"one", "two"}, read(helper))
			assert.Equal(t, "read_only", helper.Do("PUT", "/acme/notes/b", map[string]string{"text": "x"}).Code())

			mail := p.MailTo("service@acme.example", nil)
			assert.Equal(t, "Een notitie", mail.Subject)
			assert.Contains(t, mail.Text(), "Notitie b is bewaard.")
			assert.Empty(t, p.Mails("r2@klant.example"))

			before := p.Now()
			p.Pass(time.Hour)
			assert.WithinDuration(t, before.Add(time.Hour), p.Now(), time.Minute)
			p.SetClock(portaltest.Begin.AddDate(0, 1, 0))
			assert.Equal(t, time.December, p.Now().Month())
			assert.Equal(t, 401, customer.Do("GET", "/acme/notes", nil).Status, "the token is of a month ago")

			assert.Empty(t, p.TablesWithoutLabelKey())
			entries, flaws := p.VerifyAudit()
			assert.Positive(t, entries)
			assert.Empty(t, flaws)
			assert.ElementsMatch(t, []string{"alpha", "beta"}, p.LabelKeys())
			assert.Empty(t, p.LabelProblems())
			portaltest.WriteLabel(t, p.LabelsDir(), portaltest.Label{Key: "alpha", CUE: "modules: acme: max_notes: 0"}, options.Modules)
			p.Eventually(func() bool { return len(p.LabelProblems()) > 0 })
			assert.Contains(t, strings.Join(p.LabelProblems(), "\n"), "max_notes")
		})
		t.Run("replica", func(t *testing.T) {
			if !p.CanReplicate() {
				t.Skip("SQLite has one process")
			}
			p := p.For(t)
			two := p.Replica()
			var all []any
			two.Customer("beta", "r9").Get("/acme/notes", &all)
			assert.Empty(t, all)
			require.NotEqual(t, p.URL, two.URL)
		})
	})
}

// A stopped portal starts again with its data.
func TestRestart(t *testing.T) {
	p := portaltest.Start(t, options)
	customer := p.Customer("alpha", "r1")
	require.Equal(t, http.StatusOK, customer.Do("PUT", "/acme/notes/a", map[string]string{"text": "kept"}).Status)
	p.Stop()
	again := p.Restart().Customer("alpha", "r1")
	require.Contains(t, string(again.Do("GET", "/acme/notes", nil).Body), "kept")
}
