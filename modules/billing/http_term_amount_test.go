package billing_test

import (
	"net/http"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/portaltest"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/test/fixture"
)

func testTermAmount(t *testing.T, all *fixture.Customers) {
	c, id := all.Billed()
	path := "/periodicalPayments/" + id
	t.Run("7.2-get-periodical,3-periodical-fields", func(t *testing.T) {
		three := all.New()
		without := fixture.With(fixture.AgreementRecord(three, "C"+three.Debtor+"-1"), fixture.Object{"periodical": nil})
		cheap := fixture.With(fixture.AgreementRecord(three, "B"+three.Debtor+"-1"),
			fixture.Object{"period": fixture.Object{"from": "2024-02-01"}})
		cheap["periodical"] = fixture.With(cheap["periodical"].(fixture.Object), fixture.Object{"current_amount": 110})
		require.Empty(t, fixture.Records(t, three.Portal, "agreement", without, fixture.AgreementRecord(three, "A"+three.Debtor+"-1"), cheap))
		amounts := map[any]any{}
		for _, p := range three.List(t, "/periodicalPayments") {
			amounts[p["agreement_identifier_with_sequence"]] = p["current_amount"]
		}
		assert.Equal(t, map[any]any{"A" + three.Debtor + "-1": 120.0, "B" + three.Debtor + "-1": 110.0}, amounts)

		assert.Equal(t, []fixture.Object{{"agreement_identifier_with_sequence": id, "current_amount": 120.0, "min_amount": 95.5,
			"max_amount":      180.0,
			"proposed_amount": 105.0, "payment_method": "DIRECT_DEBIT_CONSUMER", "next_collection": "2026-11-28", "counts_from": "2026-11-28",
			"year_end": fixture.Object{"expected_cost": 1620.0, "paid": 1200.0, "months_left": 4.0, "months_unchanged": 0.0, "settles_on": "2027-03-01"}}},
			c.List(t, "/periodicalPayments"))
	})
	t.Run("9-term-amount-advice", func(t *testing.T) {
		other, otherID := all.Billed()
		advised := func(year any) (out []any) { // from both operations
			r := fixture.AgreementRecord(other, otherID)
			r["periodical"] = fixture.With(r["periodical"].(fixture.Object), fixture.Object{"year_end": year})
			require.Empty(t, fixture.Records(t, other.Portal, "agreement", r))
			return []any{other.List(t, "/periodicalPayments")[0]["proposed_amount"],
				other.List(t, "/agreements")[0]["periodical_payment"].(fixture.Object)["details"].(fixture.Object)["proposed_amount"]}
		}
		// collected on 28 November, December, January and February: (1620 - 1200) / 4
		assert.Equal(t, []any{105.0, 105.0}, advised(fixture.Object{"expected_cost": 1620, "paid": 1200, "settles_on": "2027-03-01"}))
		assert.Equal(t, []any{106.0, 106.0}, advised(fixture.Object{"expected_cost": 1620.04, "paid": 1200, "settles_on": "2027-03-01"}),
			"whole euros")
		assert.Equal(t, []any{180.0, 180.0}, advised(fixture.Object{"expected_cost": 9999, "paid": 1200, "settles_on": "2027-03-01"}),
			"the highest amount")
		assert.Equal(t, []any{131.5, 131.5}, advised(nil), "without figures the proposal of the back office")
		assert.Equal(t, []any{131.5, 131.5}, advised(fixture.Object{"expected_cost": 1620, "paid": 1200, "settles_on": "2026-11-20"}),
			"the year is settled")
	})
	refused := func(row string, cases map[any]string) {
		t.Run(row, func(t *testing.T) {
			for amount, code := range cases {
				for _, call := range []string{path, "/agreements/periodical"} {
					a := c.Do(http.MethodPut, call, fixture.WantedAmount(amount))
					require.Equal(t, http.StatusBadRequest, a.Status, "%v: %s", amount, a.Body)
					assert.Equal(t, []problem.FieldError{{Field: "request_periodical_payment_amount", Code: code}}, fixture.ProblemOf(t, a).Errors, amount)
				}
			}
		})
	}
	const both = ",7.2-periodical-two-calls-reconcile"
	refused("5.6-amount-range"+both, map[any]string{95.49: "billing.amount_range", 180.01: "billing.amount_range", 0: "billing.amount_range",
		-120: "billing.amount_range"})
	refused("5.6-amount-differs"+both, map[any]string{120: "billing.amount_unchanged", "120.00": "billing.amount_unchanged"})
	refused("5.6-amount-decimals"+both, map[any]string{130.555: "billing.amount_decimals", "130.550": "billing.amount_decimals",
		"honderd": "billing.amount_decimals"})
	refused("7.2-periodical-two-calls-reconcile", map[any]string{nil: "billing.amount_required", "": "billing.amount_required"})
	t.Run("3-periodical-names-reconcile", func(t *testing.T) { // the field name in responses is not accepted in requests
		for _, call := range []string{path, "/agreements/periodical"} {
			a := c.Do(http.MethodPut, call, fixture.Object{"requested_new_amount": 130})
			assert.Equal(t, []string{"request_periodical_payment_amount billing.amount_required"}, fixture.RefusedFields(t, a), call)
		}
	})
	t.Run("7.2-get-agreements-periodical", func(t *testing.T) {
		assert.Empty(t, c.List(t, "/agreements/periodical?request=status"))
	})
	const putRows = "7.2-put-periodical,7.2-get-agreements-periodical,3-periodical-fields,3-periodical-names-reconcile,5.6-amount-range"
	t.Run(putRows, func(t *testing.T) {
		a := c.Do(http.MethodPut, path, fixture.WantedAmount(180)) // the maximum
		require.Equal(t, http.StatusOK, a.Status, string(a.Body))
		var p fixture.Object
		a.JSON(t, &p)
		for _, got := range []fixture.Object{p, c.List(t, "/periodicalPayments")[0], c.List(t, "/agreements/periodical?request=status")[0]} {
			assert.Equal(t, id, got["agreement_identifier_with_sequence"])
			assert.Equal(t, 180.0, got["requested_new_amount"])
			assert.Equal(t, 180.0, got["request_periodical_payment_amount"])
			assert.Equal(t, "2026-11-20", got["requested_on"])
			assert.Equal(t, 120.0, got["current_amount"], "until it is processed")
			assert.Equal(t, "billing.term_amount_pending", got["reason"])
		}
	})
	t.Run("7.2-periodical-two-calls-reconcile,4-pending-second-change", func(t *testing.T) {
		for _, call := range []string{path, "/agreements/periodical"} {
			a := c.Do(http.MethodPut, call, fixture.WantedAmount(130))
			assert.Equal(t, http.StatusConflict, a.Status)
			assert.Equal(t, problem.CodePending, a.Code(), "both operations share the pending change")
		}
	})
	t.Run("4-pending-processed", func(t *testing.T) {
		fixture.Decide(t, c, "billing.term_amount", module.Processed)
		p := c.List(t, "/periodicalPayments")[0]
		assert.Equal(t, 180.0, p["current_amount"])
		assert.NotContains(t, p, "requested_new_amount")
		assert.NotContains(t, p, "reason")
		assert.Equal(t, 180.0, c.List(t, "/agreements")[0]["periodical_payment"].(fixture.Object)["details"].(fixture.Object)["current_amount"])
	})
	const secondPutRows = "7.2-put-agreements-periodical,7.2-get-agreements-periodical,7.2-periodical-two-calls-reconcile," +
		"3-periodical-names-reconcile"
	t.Run(secondPutRows, func(t *testing.T) {
		assert.Empty(t, c.List(t, "/agreements/periodical?request=status"), "processed")
		ended := fixture.With(fixture.AgreementRecord(c, "Z"+c.Debtor+"-1"), fixture.Object{"status": "TERMINATED",
			"period": fixture.Object{"from": "2020-01-01", "to": "2023-12-31"}})
		require.Empty(t, fixture.Records(t, c.Portal, "agreement", ended))
		a := c.Do(http.MethodPut, "/periodicalPayments/A"+c.Debtor, fixture.WantedAmount(130))
		assert.Equal(t, http.StatusNotFound, a.Status, "the identifier without its sequence")
		a = c.Do(http.MethodPut, "/agreements/periodical", fixture.WantedAmount("99.95"))
		require.Equal(t, http.StatusOK, a.Status, string(a.Body))
		assert.Equal(t, 99.95, c.List(t, "/periodicalPayments")[0]["requested_new_amount"], "for the only current agreement")
		fixture.Decide(t, c, "billing.term_amount", module.Rejected)
		assert.Equal(t, 180.0, c.List(t, "/periodicalPayments")[0]["current_amount"])
		second := "B" + c.Debtor + "-1"
		require.Empty(t, fixture.Records(t, c.Portal, "agreement", fixture.AgreementRecord(c, second)))
		a = c.Do(http.MethodPut, "/agreements/periodical", fixture.WantedAmount(100))
		require.Equal(t, http.StatusBadRequest, a.Status)
		assert.Equal(t, []problem.FieldError{{Field: "agreement_identifier_with_sequence", Code: "billing.agreement_required"}},
			fixture.ProblemOf(t, a).Errors)
		a = c.Do(http.MethodPut, "/agreements/periodical", fixture.With(fixture.WantedAmount(100),
			fixture.Object{"agreement_identifier_with_sequence": second}))
		require.Equal(t, http.StatusOK, a.Status, string(a.Body))
		status := c.List(t, "/agreements/periodical?request=status")
		require.Len(t, status, 1)
		assert.Equal(t, second, status[0]["agreement_identifier_with_sequence"])
		require.Equal(t, http.StatusOK, c.Do(http.MethodPut, path, fixture.WantedAmount(100)).Status,
			"a pending change of another agreement has no effect")
	})
	t.Run("the reason why an amount cannot be changed", func(t *testing.T) {
		c := all.New()
		ended, fixed := "A"+c.Debtor+"-1", "B"+c.Debtor+"-1"
		r := fixture.AgreementRecord(c, fixed)
		r["periodical"] = fixture.With(r["periodical"].(fixture.Object), fixture.Object{"min_amount": 120, "max_amount": 120})
		require.Empty(t, fixture.Records(t, c.Portal, "agreement", r, fixture.With(fixture.AgreementRecord(c, ended),
			fixture.Object{"status": "TERMINATED", "period": fixture.Object{"from": "2023-01-01", "to": "2023-12-31"}})))
		list := c.List(t, "/periodicalPayments")
		for i, want := range []struct{ id, reason string }{{fixed, "billing.term_amount_fixed"}, {ended, "billing.term_amount_ended"}} {
			assert.Equal(t, want.id, list[i]["agreement_identifier_with_sequence"])
			assert.Equal(t, want.reason, list[i]["reason"])
			a := c.Do(http.MethodPut, "/periodicalPayments/"+want.id, fixture.WantedAmount(120))
			assert.Equal(t, http.StatusConflict, a.Status)
			assert.Equal(t, want.reason, a.Code())
		}
		assert.NotContains(t, list[1], "next_collection")
		assert.NotContains(t, list[1], "year_end")
		assert.Equal(t, http.StatusNotFound, c.Do(http.MethodPut, "/periodicalPayments/unknown", fixture.WantedAmount(120)).Status)
	})
}

// testConcurrentTermAmounts sends two concurrent changes of a term amount: one is filed, the other is refused with 409.
func testConcurrentTermAmounts(t *testing.T, all *fixture.Customers) {
	for range 3 {
		c, id := all.Billed()
		var wg sync.WaitGroup
		answers := make([]portaltest.Answer, 8)
		for n := range answers {
			wg.Go(func() { answers[n] = c.Do(http.MethodPut, "/periodicalPayments/"+id, fixture.WantedAmount(130+n)) })
		}
		wg.Wait()
		won := 0
		for n, a := range answers {
			switch a.Status {
			case http.StatusOK:
				won++
				assert.Equal(t, float64(130+n), c.List(t, "/periodicalPayments")[0]["requested_new_amount"])
			default:
				assert.Equal(t, http.StatusConflict, a.Status, string(a.Body))
				assert.Equal(t, problem.CodePending, a.Code())
			}
		}
		assert.Equal(t, 1, won)
	}
}
