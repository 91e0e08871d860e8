package portaltest_test

import (
	"encoding/json"
	"io"
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
	"github.com/wattle-portal/wattle/test/plugin/fixture"
)

var options = portaltest.Options{Modules: []module.Module{fixture.Module}, CUE: `modules: fixture: mail_to: "desk@acme.example"`}

// 9-portaltest: everything that a test of another team's module needs, on both databases.
func TestPortal(t *testing.T) {
	portaltest.Each(t, options, func(t *testing.T, p *portaltest.Portal) {
		t.Run("9-portaltest", func(t *testing.T) {
			p := p.For(t)
			customer, other, elsewhere := p.Customer("alpha", "r1"), p.Customer("alpha", "r2"), p.Customer("beta", "r1")
			read := func(c portaltest.Caller) (texts []string) {
				var all struct{ Notes []struct{ Text string } }
				c.Get("/fixture/notes", &all)
				for _, n := range all.Notes {
					texts = append(texts, n.Text)
				}
				return texts
			}
			require.Equal(t, http.StatusOK, customer.Do("PUT", "/fixture/notes/b", map[string]string{"text": "two"}).Status)
			refused := p.Import("alpha", "note", map[string]string{"relation": "r1", "id": "a", "text": "one"}, `{"relation": "r1"}`,
				json.RawMessage(`{"relation": "r2", "id": "a", "text": "theirs"}`))
			assert.Equal(t, []record.Refusal{{Line: 2, Field: "id", Code: problem.CodeRequired}}, refused)
			assert.Equal(t, []string{"one", "two"}, read(customer))
			assert.Equal(t, []string{"theirs"}, read(other))
			assert.Empty(t, read(elsewhere), "another label")

			for who, c := range map[string]struct {
				portaltest.Caller
				want int
			}{
				"customer": {customer, 403}, "staff": {p.Staff("alpha"), 200}, "nobody": {p.Anonymous("alpha"), 401},
				"impersonator": {p.Impersonator("alpha", "r1"), 403},
				"key":          {p.APIKey("alpha", "crm"), 200}, "key of another label": {p.APIKey("beta", "crm"), 200},
			} {
				assert.Equal(t, c.want, c.Do("GET", "/staff/changes", nil).Status, who)
			}
			helper := p.Impersonator("alpha", "r1")
			assert.Equal(t, []string{"one", "two"}, read(helper))
			assert.Equal(t, "read_only", helper.Do("PUT", "/fixture/notes/b", map[string]string{"text": "x"}).Code())

			mail := p.MailTo("desk@acme.example", nil)
			assert.Equal(t, "A note", mail.Subject)
			assert.Contains(t, mail.Text(), "Note b was saved.")
			assert.Empty(t, p.Mails("r2@klant.example"))

			before := p.Now()
			p.Advance(time.Hour)
			assert.WithinDuration(t, before.Add(time.Hour), p.Now(), time.Minute)
			p.SetClock(portaltest.Begin.AddDate(0, 1, 0))
			assert.Equal(t, time.December, p.Now().Month())
			assert.Equal(t, 401, customer.Do("GET", "/fixture/notes", nil).Status, "the token is of a month ago")

			assert.Empty(t, p.TablesWithoutLabelKey())
			entries, flaws := p.VerifyAudit()
			assert.Positive(t, entries)
			assert.Empty(t, flaws)
			assert.ElementsMatch(t, []string{"alpha", "beta"}, p.LabelKeys())
			assert.Empty(t, p.LabelProblems())
			portaltest.WriteLabel(t, p.LabelsDir(), portaltest.Label{Key: "alpha", CUE: "modules: fixture: mail_to: 0"}, options.Modules)
			p.Eventually(func() bool { return len(p.LabelProblems()) > 0 })
			assert.Contains(t, strings.Join(p.LabelProblems(), "\n"), "mail_to")
		})
		if !p.CanReplicate() {
			return // only one process can use SQLite
		}
		t.Run("9-portaltest", func(t *testing.T) {
			p := p.For(t)
			two := p.Replica()
			require.NotEqual(t, p.URL, two.URL)
			require.Equal(t, http.StatusOK, p.Customer("beta", "r9").Do("PUT", "/fixture/notes/c", map[string]string{"text": "shared"}).Status)
			var all struct{ Notes []struct{ Text string } }
			two.Customer("beta", "r9").Get("/fixture/notes", &all)
			require.Len(t, all.Notes, 1, "both have one database")
			assert.Equal(t, "shared", all.Notes[0].Text)
		})
	})
}

// A stopped portal starts again with its data.
func TestRestart(t *testing.T) {
	t.Run("9-portaltest", func(t *testing.T) {
		p := portaltest.Start(t, options)
		customer := p.Customer("alpha", "r1")
		require.Equal(t, http.StatusOK, customer.Do("PUT", "/fixture/notes/a", map[string]string{"text": "kept"}).Status)
		p.Stop()
		second := p.Restart().Customer("alpha", "r1")
		require.Contains(t, string(second.Do("GET", "/fixture/notes", nil).Body), "kept")
	})
}

// A fake of an external service returns the responses that the test defines.
func TestOutside(t *testing.T) {
	t.Run("9-portaltest", func(t *testing.T) {
		url := portaltest.ExternalService(t, func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(http.StatusTeapot)
			_, _ = w.Write([]byte(r.URL.Path))
		})
		r, err := http.Get(url + "/register")
		require.NoError(t, err)
		defer r.Body.Close()
		body, err := io.ReadAll(r.Body)
		require.NoError(t, err)
		require.Equal(t, []any{http.StatusTeapot, "/register"}, []any{r.StatusCode, string(body)})
	})
}
