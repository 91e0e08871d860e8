package billing_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/portaltest"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/modules/account"
	"github.com/wattle-portal/wattle/modules/billing"
	"github.com/wattle-portal/wattle/test/fixture"
)

func testBankAccount(t *testing.T, all *fixture.Customers) {
	c := all.New()
	t.Run("7.1-get-iban-status,7.1-iban-status-query-reconcile", func(t *testing.T) {
		for _, query := range []string{"", "?request=status"} {
			a := c.Do(http.MethodGet, ibanPath+query, nil)
			assert.Equal(t, http.StatusNoContent, a.Status)
			assert.Empty(t, a.Body)
		}
	})
	const good, name, tomorrow = "DE89370400440532013000", "Fenna de Boer", "2026-11-21"
	refused := func(row, field, code string, forms ...fixture.Object) {
		t.Run(row, func(t *testing.T) {
			for _, form := range forms {
				a := c.Do(http.MethodPut, ibanPath, form)
				require.Equal(t, http.StatusBadRequest, a.Status, "%v: %s", form, a.Body)
				assert.Equal(t, []problem.FieldError{{Field: field, Code: code}}, fixture.ProblemOf(t, a).Errors, form)
			}
		})
	}
	iban := func(n string) fixture.Object { return fixture.NewBankAccount(n, name, tomorrow) }
	const number, holder, from = "change_bank_account_number", "change_bank_account_name", "from_date"
	refused("5.1-iban-required", number, "billing.ibanRequired", iban(""), iban(" - "), fixture.With(iban(""), fixture.Object{number: nil}))
	refused("5.1-iban-same", number, "billing.ibanNotValid", iban("NL38WATT0000001117"), iban("nl38 watt 0000 0011 17"))
	refused("5.1-iban-length", number, "billing.ibanNotValid", iban("NO938601111794"), iban("LC55HEMM000100010012001200023015"))
	refused("5.1-iban-checksum-reconcile", number, "billing.ibanNotValid", iban("NL92ABNA0417164300"), iban("XX62ABNA0417164300"),
		iban("NL5312340417164300"))
	refused("5.1-name-required", holder, "billing.bankAccountNameRequired", fixture.NewBankAccount(good, "", tomorrow),
		fixture.NewBankAccount(good, "Jo", tomorrow), fixture.With(iban(good), fixture.Object{holder: nil}))
	refused("5.1-name-max", holder, "billing.bankAccountNameToLong", fixture.NewBankAccount(good, strings.Repeat("é", 256), tomorrow))
	refused("5.1-date-required,5.1-date-format", from, "billing.startDateRequired", fixture.NewBankAccount(good, name, ""),
		fixture.NewBankAccount(good, name, "21-11-2026"), fixture.With(iban(good), fixture.Object{from: nil}))
	refused("5.1-date-min", from, "billing.startDateMessage", fixture.NewBankAccount(good, name, "2026-11-20"),
		fixture.NewBankAccount(good, name, "2020-01-01"))
	t.Run("7.1-put-iban,5.1-iban-normalise,5.1-date-min,5.1-name-max", func(t *testing.T) {
		a := c.Do(http.MethodPut, ibanPath, fixture.NewBankAccount("iban: de89 3704-0044 0532 0130 00", strings.Repeat("é", 255), tomorrow))
		assert.Equal(t, fixture.NewBankAccount(good, strings.Repeat("é", 255), tomorrow), fixture.Body[fixture.Object](t, a, http.StatusOK))
	})
	t.Run("7.1-get-iban-status,7.1-iban-status-query-reconcile,3-pending-change-fields", func(t *testing.T) {
		for _, query := range []string{"", "?request=status"} {
			assert.Equal(t, fixture.NewBankAccount(good, strings.Repeat("é", 255), tomorrow), c.Get(t, ibanPath+query))
		}
		assert.Equal(t, "NL38WATT0000001117", c.Get(t, "/bankAccountDetails")["bank_account_number"], "until its first day")
	})
	t.Run("4-pending-second-change", func(t *testing.T) {
		a := c.Do(http.MethodPut, ibanPath, iban("NO9386011117947"))
		assert.Equal(t, http.StatusConflict, a.Status)
		assert.Equal(t, problem.CodePending, a.Code())
		assert.Equal(t, good, c.Get(t, ibanPath)[number])
	})
	t.Run("the current e-mail address is notified", func(t *testing.T) {
		for _, m := range fixture.MailsTo(t, c.Portal, "fenna@voorbeeld.example") {
			text := fmt.Sprint(m.Mail)
			if !strings.Contains(text, "rekening") {
				continue
			}
			assert.Contains(t, text, "3000")
			assert.Contains(t, text, "21-11-2026")
			assert.NotContains(t, text, good)
			return
		}
		t.Error("no such mail")
	})
	t.Run("a rejected change keeps the account", func(t *testing.T) {
		fixture.Decide(t, c, "billing.iban", module.Rejected)
		assert.Equal(t, http.StatusNoContent, c.Do(http.MethodGet, ibanPath, nil).Status)
		assert.Equal(t, "NL38WATT0000001117", c.Get(t, "/relations")["bank_account_number"])
	})
	t.Run("an account without a relation", func(t *testing.T) {
		nobody := all.Account("405", "nog.niemand.5")
		assert.Equal(t, http.StatusNotFound, nobody.Do(http.MethodPut, ibanPath, iban(good)).Status)
		assert.Equal(t, http.StatusNotFound, nobody.Do(http.MethodGet, "/bankAccountDetails", nil).Status)
	})
}

// A processed bank account change takes effect on its first day.
func TestBankAccountFromFirstDay(t *testing.T) {
	t.Parallel()
	var log fixture.Output
	portaltest.Each(t, portaltest.Options{Modules: []module.Module{account.Module, billing.Module}, Log: &log}, func(t *testing.T,
		s *portaltest.Portal) {
		all := &fixture.Customers{Portal: s, T: t}
		c, id := all.Billed()
		const old, later, sooner = "NL38WATT0000001117", "DE89370400440532013000", "NO9386011117947"
		ask := func(iban, from string) {
			t.Helper()
			a := c.Do(http.MethodPut, ibanPath, fixture.NewBankAccount(iban, "F. de Boer-Molen", from))
			require.Equal(t, http.StatusOK, a.Status, string(a.Body))
			fixture.Decide(t, c, "billing.iban", module.Processed)
			require.Equal(t, http.StatusNoContent, c.Do(http.MethodGet, ibanPath, nil).Status)
		}
		advance := func(to string) {
			t.Helper()
			at, err := time.Parse(time.RFC3339, to)
			require.NoError(t, err)
			s.Advance(at.Sub(s.Now()))
			s.Deliver()
			c.Caller = s.SignIn(portaltest.Account{Label: "alpha", Relation: c.Relation, Username: c.Username, Email: "fenna@voorbeeld.example",
				Name: "Fenna de Boer"})
		}
		current := func() any { return c.Get(t, "/relations")["bank_account_number"] }
		t.Run("3-pending-change-fields,4-pending-processed", func(t *testing.T) {
			ask(later, "2026-12-10")
			s.SetClock(s.Now().Add(time.Minute))
			ask(sooner, "2026-12-01") // the latest request, for an earlier day
			assert.Equal(t, old, current())
			advance("2026-11-30T22:30:00Z") // 23:30 in the label's time zone
			assert.Equal(t, old, current())
			advance("2026-11-30T23:30:00Z")
			c.WaitFor(t, "/relations", "bank_account_number", sooner)
			assert.Equal(t, "F. de Boer-Molen", c.Get(t, "/relations")["bank_account_name"])
			assert.Equal(t, sooner, c.Get(t, "/bankAccountDetails")["bank_account_number"])
			assert.Equal(t, sooner, c.List(t, "/agreements")[0]["periodical_payment"].(fixture.Object)["bank_account_number"], id)
			advance("2026-12-11T10:00:00Z")
			assert.Equal(t, sooner, current(), "the last decision applies")
		})
		for _, iban := range []string{old, later, sooner} {
			assert.NotContains(t, log.String(), iban, "the log contains no IBAN")
		}
	})
}
