package portaltest_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/wattle-portal/wattle/core/internal/testing/example"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/portaltest"
	"github.com/wattle-portal/wattle/test/plugin/fixture"
)

// A test of what a module guarantees to its callers, on SQLite and PostgreSQL.
func ExampleEach() {
	_ = func(t *testing.T) { // TestNotes
		portaltest.Each(t, portaltest.Options{Modules: []module.Module{fixture.Module}}, func(t *testing.T, p *portaltest.Portal) {
			customer := p.Customer("alpha", "r1")
			if got := customer.Do("PUT", "/fixture/notes/a", map[string]string{"text": "one"}).Status; got != http.StatusOK {
				t.Error(got)
			}
		})
	}
}

// A customer can only read its own rows, an impersonator cannot write, and emails are recorded for the test.
func ExampleStart() {
	example.Run(func(t testing.TB) {
		p := portaltest.Start(t, portaltest.Options{Modules: []module.Module{fixture.Module},
			CUE: `modules: fixture: mail_to: "desk@acme.example"`, AtOnce: true})
		customer, other := p.Customer("alpha", "r1"), p.Customer("alpha", "r2")
		fmt.Println("saved:", customer.Do("PUT", "/fixture/notes/a", map[string]string{"text": "one"}).Status)
		fmt.Println("mail:", p.MailTo("desk@acme.example", nil).Subject)

		var mine, theirs struct{ Notes []struct{ Text string } }
		customer.Get("/fixture/notes", &mine)
		other.Get("/fixture/notes", &theirs)
		fmt.Println(mine.Notes, theirs.Notes)
		fmt.Println(p.Impersonator("alpha", "r1").Do("PUT", "/fixture/notes/a", map[string]string{"text": "x"}).Code())

		before := p.Now()
		p.Advance(time.Hour)
		fmt.Println(p.Now().Sub(before).Round(time.Hour))
	})
	// Output:
	// saved: 200
	// mail: A note
	// [{one}] []
	// read_only
	// 1h0m0s
}
