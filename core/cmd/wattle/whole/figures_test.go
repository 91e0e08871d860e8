package whole_test

import (
	"math"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wattle-portal/wattle/core/internal/operate/app/apptest"
	"github.com/wattle-portal/wattle/core/value"
)

// figures compares the answers that one customer gets: whatever two screens show of the same thing is the same (9-figures-agree).
type figures struct {
	t     *testing.T
	s     *apptest.Server
	host  string
	token string
	name  string
	today value.Day
	count map[string]int // by relation: how often it was compared
}

type object = map[string]any

// get returns false for 403 and 404: the label has no such module, or there is nothing.
func (f *figures) get(path string, out any) bool {
	f.t.Helper()
	a := f.s.Do(apptest.Call{Host: f.host, Path: path, Bearer: f.token})
	if a.Status == http.StatusForbidden || a.Status == http.StatusNotFound || a.Status == http.StatusUnprocessableEntity {
		return false
	}
	if !assert.Equal(f.t, http.StatusOK, a.Status, f.name+" "+path+" "+string(a.Body)) {
		return false
	}
	a.JSON(f.t, out)
	return true
}

// equal compares amounts in thousandths: cents, Wh and dm³.
func (f *figures) equal(relation string, want, got float64, about ...string) {
	f.t.Helper()
	f.count[relation]++
	assert.Equal(f.t, math.Round(want*1000), math.Round(got*1000), "%s: %s %s", relation, f.name, strings.Join(about, " "))
}

// near compares sums of values that are rounded each, to a thousandth.
func (f *figures) near(relation string, want, got float64, values int, about ...string) {
	f.t.Helper()
	f.count[relation]++
	assert.InDelta(f.t, want, got, 0.0006*float64(max(values, 1)), "%s: %s %s", relation, f.name, strings.Join(about, " "))
}

func num(v any) float64 {
	n, _ := v.(float64)
	return n
}

func sum(list []object, key string) (total float64) {
	for _, o := range list {
		total += num(o[key])
	}
	return total
}

func objects(v any) (out []object) {
	list, _ := v.([]any)
	for _, o := range list {
		out = append(out, o.(object))
	}
	return out
}

func (f *figures) all() {
	f.invoices()
	f.termAmounts()
	f.usage()
	f.production()
}

// invoices: what is to be paid, the totals of years, the newest invoices and the chart follow from the invoices.
func (f *figures) invoices() {
	var agreements, latest []object
	if !f.get("/agreements", &agreements) {
		return
	}
	var every []object
	for _, a := range agreements {
		id := a["agreement_identifier_with_sequence"].(string)
		path := "/agreements/" + url.PathEscape(id) + "/invoices"
		var list, years, months []object
		if !f.get(path, &list) || !f.get(path+"/years", &years) || !f.get("/agreements/"+url.PathEscape(id)+"/billed?months=120", &months) {
			continue
		}
		every = append(every, list...)
		newest := objects(a["invoices"])
		for i, invoice := range newest {
			assert.Equal(f.t, list[i], invoice, f.name)
		}
		f.equal("an agreement has its ten newest invoices", math.Min(10, float64(len(list))), math.Min(10, float64(len(newest))), id)
		for _, y := range years {
			var amount, open, count float64
			for _, i := range list {
				if strings.HasPrefix(i["due_date"].(string), jsonYear(y)) {
					amount, count = amount+num(i["amount"]), count+1
					open += num(i["balance"])
				}
			}
			f.equal("amount of a year", num(y["amount"]), amount, id, jsonYear(y))
			f.equal("invoices of a year", num(y["count"]), count, id, jsonYear(y))
			f.equal("open of a year", num(y["open"]), open, id, jsonYear(y))
		}
		f.equal("all years", sum(years, "amount"), sum(list, "amount"), id)
		f.equal("all billed months", sum(months, "amount"), sum(list, "amount"), id)
	}
	var toPay struct {
		Invoices []object `json:"invoices"`
		Amount   float64  `json:"amount"`
		Overdue  float64  `json:"overdue_amount"`
	}
	if !f.get("/openInvoices", &toPay) || !f.get("/latestInvoices", &latest) {
		return
	}
	var open, overdue float64
	for _, i := range every {
		if s := i["payment_status"]; (s == "OPEN" || s == "OUTSTANDING") && num(i["balance"]) > 0 {
			open += num(i["balance"])
			if i["due_date"].(string) < f.today.String() {
				overdue += num(i["balance"])
			}
		}
	}
	f.equal("to pay", toPay.Amount, open)
	f.equal("to pay, by invoice", toPay.Amount, sum(toPay.Invoices, "balance"))
	f.equal("overdue", toPay.Overdue, overdue)
	slices.SortStableFunc(every, func(a, b object) int { return strings.Compare(b["due_date"].(string), a["due_date"].(string)) })
	for i, invoice := range latest {
		f.count["latest invoices"]++
		assert.Equal(f.t, every[i]["due_date"], invoice["due_date"], f.name)
	}
}

func jsonYear(y object) string { return value.Day{Year: int(num(y["year"])), Month: 1, Day: 1}.String()[:4] }

// termAmounts: the agreements name the same amounts, and the advised one leaves nothing to pay if the range allows it.
func (f *figures) termAmounts() {
	var periodicals, agreements []object
	if !f.get("/periodicalPayments", &periodicals) || !f.get("/agreements", &agreements) {
		return
	}
	for _, p := range periodicals {
		id := p["agreement_identifier_with_sequence"]
		at := slices.IndexFunc(agreements, func(a object) bool { return a["agreement_identifier_with_sequence"] == id })
		payment, _ := agreements[at]["periodical_payment"].(object)
		details, _ := payment["details"].(object)
		for _, amount := range []string{"current_amount", "proposed_amount", "min_amount", "max_amount"} {
			f.equal("term amount of the agreement", num(details[amount]), num(p[amount]), amount)
		}
		f.equal("parts of the term amount", num(p["current_amount"]), sum(objects(payment["items"]), "amount"))
		y, _ := p["year_end"].(object)
		if y == nil {
			continue
		}
		left, unchanged := num(y["months_left"]), num(y["months_unchanged"])
		f.count["forecast of the settlement"]++
		assert.LessOrEqual(f.t, unchanged, left, f.name)
		outcome := func(amount float64) float64 {
			return num(y["paid"]) + unchanged*num(p["current_amount"]) + (left-unchanged)*amount - num(y["expected_cost"])
		}
		proposed := num(p["proposed_amount"])
		if left == unchanged || p["requested_new_amount"] != nil {
			continue
		}
		if proposed < num(p["max_amount"]) {
			assert.GreaterOrEqual(f.t, outcome(proposed), -0.001, "%s: the advised amount leaves something to pay", f.name)
		}
		if proposed-1 >= num(p["min_amount"]) {
			assert.Negative(f.t, outcome(proposed-1), "%s: a euro less is enough", f.name)
		}
	}
}

// usage: the same month has the same usage and cost on the dashboard, on /usage and in the chart of the year.
func (f *figures) usage() {
	var forecast struct {
		Month       string   `json:"month"`
		Connections []object `json:"connections"`
		Total       object   `json:"total"`
	}
	if !f.get("/usage/forecast", &forecast) {
		return
	}
	month := value.Day{Year: f.today.Year, Month: f.today.Month, Day: 1}
	if forecast.Total != nil {
		for _, key := range []string{"so_far", "expected", "low", "high"} {
			total := 0.0
			for _, c := range forecast.Connections {
				cost, _ := c["cost"].(object)
				total += num(cost[key])
			}
			f.equal("cost of all connections", num(forecast.Total[key]), total, key)
		}
	}
	for _, c := range forecast.Connections {
		ean := c["ean_code"].(string)
		series := func(unit string, from, to value.Day) (out object, ok bool) {
			return out, f.get("/usage/"+ean+"/series?unit="+unit+"&from="+from.String()+"&to="+to.String(), &out)
		}
		f.periods(ean, series)
		used, _ := c["usage"].(object)
		if used == nil {
			continue
		}
		days, ok := series("day", month, month.AddMonths(1))
		if !ok {
			continue
		}
		f.near("usage of this month", sum(objects(days["points"]), "consumption"), num(used["so_far"]), 31, ean)
		until, _ := c["until"].(string)
		expected, _ := c["cost"].(object)
		var cost object
		if expected == nil || expected["so_far"] == nil || until == month.String() ||
			!f.get("/usage/"+ean+"/cost?unit=day&from="+month.String()+"&to="+until, &cost) {
			continue
		}
		if estimate, _ := cost["estimate"].(object); estimate != nil {
			f.equal("estimated cost of this month", num(estimate["total"]), num(expected["so_far"]), ean)
			f.near("estimated usage of this month", num(estimate["added"]), num(used["added"]), 1, ean)
			f.equal("rows of an estimate", num(estimate["total"]), sum(objects(estimate["rows"]), "amount"), ean)
			continue
		}
		f.equal("cost of this month", num(cost["total"]), num(expected["so_far"]), ean)
		f.equal("nothing is estimated", 0, num(used["added"]), ean)
	}
}

// periods: a year is the sum of its months, a month that of its days, for usage and cost.
func (f *figures) periods(ean string, series func(unit string, from, to value.Day) (object, bool)) {
	year := value.Day{Year: f.today.Year, Month: 1, Day: 1}
	months, ok := series("month", year, year.AddMonths(12))
	if !ok {
		return
	}
	total, _ := months["total"].(object)
	f.near("usage of a year", num(total["consumption"]), sum(objects(months["points"]), "consumption"), 12, ean)
	for n, point := range objects(months["points"]) {
		begin := year.AddMonths(n)
		if point["consumption"] == nil || begin.After(f.today) {
			continue
		}
		if days, ok := series("day", begin, begin.AddMonths(1)); ok {
			f.near("usage of a month", num(point["consumption"]), sum(objects(days["points"]), "consumption"), 31, ean, begin.String())
		}
		var cost, bars object
		range_ := "from=" + begin.String() + "&to=" + begin.AddMonths(1).String()
		if f.get("/usage/"+ean+"/cost?"+range_, &cost) && f.get("/usage/"+ean+"/cost?unit=day&"+range_, &bars) && cost["total"] != nil {
			f.equal("rows of a cost", num(cost["total"]), sum(objects(cost["rows"]), "amount"), ean, begin.String())
			f.equal("bars of a cost", num(cost["total"]), sum(objects(bars["bars"]), "amount"), ean, begin.String())
		}
	}
}

// production: what the shares of a member made is the same at a glance, on the page of participations and in the charts.
func (f *figures) production() {
	var yields []object
	if !f.get("/sustainable/yields", &yields) {
		return
	}
	for _, y := range yields {
		code := y["project_code"].(string)
		chart := func(query string) (list []object, made float64, ok bool) {
			ok = f.get("/sustainable/production/"+url.PathEscape(code)+"?view_type=SHARES_IN_PROJECT&"+query, &list)
			return list, sum(list, "value"), ok
		}
		this, made, ok := chart("timeframe_type=YEAR_MONTHS&timeframe_offset=0")
		if ok && y["year_production"] != nil {
			f.near("production of this year", num(y["year_production"]), made, 12, code)
		}
		before, last, ok := chart("timeframe_type=YEAR_MONTHS&timeframe_offset=-1")
		if ok && y["last_year_production"] != nil {
			f.near("production of last year", num(y["last_year_production"]), last, 12, code)
		}
		if _, today, ok := chart("timeframe_type=DAY_HOURS&timeframe_offset=0"); ok && y["todays_production"] != nil {
			f.near("production of today", num(y["todays_production"]), today, 25, code)
		}
		// /overview compares whole months, and the days of this one through yesterday
		until := func(months, days []object) (made float64) {
			return sum(months[:f.today.Month-1], "value") + sum(days[:min(f.today.Day-1, len(days))], "value")
		}
		now, _, ok := chart("timeframe_type=MONTH_DAYS&timeframe_offset=0")
		then, _, known := chart("timeframe_type=MONTH_DAYS&timeframe_offset=-12")
		if ok && len(this) == 12 && y["year_through_yesterday"] != nil {
			f.near("this year through yesterday", num(y["year_through_yesterday"]), until(this, now), 42, code)
		}
		if known && len(before) == 12 && y["same_days_last_year"] != nil {
			f.near("the same days of last year", num(y["same_days_last_year"]), until(before, then), 42, code)
		}
	}
}
