package whole_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/operate/app/apptest"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/operate/demo"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules"
)

// The generated customers have ended, current and canceled agreements, term amounts on both sides of a collection with and without a
// pending change, partial payments, credits, and statements of every status.
func TestGeneratedFigures(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Modules: modules.All, Config: config.Config{Demo: true}})
	today, compared := value.DayOf(s.Clock.Now()), map[string]int{}
	random := rand.New(rand.NewPCG(1, 2))
	statuses := []string{"OUTSTANDING", "OPEN", "PAID", "REFUND", "CANCELLED", "SETTLED", "WRITE_OFF", "PAYMENT_IN_PROGRESS"}
	kinds := []string{"PERIODICAL", "INVOICE", "ANNUAL", "FINAL", "DISCOUNT"}
	for n := range 12 {
		var records, calls []object
		for a := range 1 + random.IntN(3) {
			id := fmt.Sprintf("A{{debtor}}-%d", a)
			period := object{"from": today.AddMonths(-30).String(), "to": ""}
			agreement := object{"debtor_number": "{{debtor}}", "agreement_id": id, "agreement_identifier": id, "name": "Stroom",
				"agreement_identifier_with_sequence": id, "company_name": "", "product_category": "ENERGY", "status": "ACTIVE", "addresses": []object{}}
			switch random.IntN(4) {
			case 0:
				agreement["status"], period["to"] = "TERMINATED", today.AddMonths(-3).String()
			case 1:
				period["to"] = today.AddDays(random.IntN(120)).String() // ends within four months
			}
			agreement["period"] = period
			low := 50 + random.IntN(100)
			current := low + random.IntN(200)
			agreement["periodical"] = object{"current_amount": current, "proposed_amount": low, "min_amount": low, "max_amount": low + 300,
				"payment_method":  "DIRECT_DEBIT_CONSUMER",
				"next_collection": today.AddDays(random.IntN(40) - 10).String(),
				"items":           []object{{"category": "Levering", "description": "Stroom", "amount": current}},
				"year_end": object{"expected_cost": float64(random.IntN(400_000)) / 100, "paid": float64(random.IntN(200_000)) / 100,
					"settles_on": today.AddDays(random.IntN(360)).String()}}
			records = append(records, object{"kind": "agreement", "data": agreement})
			if agreement["status"] == "ACTIVE" && period["to"] == "" && random.IntN(2) == 0 {
				calls = append(calls, object{"method": "PUT", "module": "billing", "path": "/periodicalPayments/" + id,
					"body": object{"request_periodical_payment_amount": low + 201 + random.IntN(99)}})
			}
			for i := range random.IntN(40) {
				amount := random.IntN(60_000) - 15_000
				balance := []int{0, amount, amount / 2}[random.IntN(3)]
				day := today.AddDays(60 - random.IntN(900))
				records = append(records, object{"kind": "invoice", "data": object{"debtor_number": "{{debtor}}",
					"agreement_identifier_with_sequence": id, "invoice_id": fmt.Sprintf("F{{debtor}}-%d-%d", a, i),
					"invoice_type": kinds[random.IntN(len(kinds))], "amount": float64(amount) / 100, "balance": float64(balance) / 100,
					"issue_date": day.AddDays(-14).String(), "due_date": day.String(), "payment_status": statuses[random.IntN(len(statuses))]}})
			}
		}
		body, err := json.Marshal(object{"records": records, "calls": calls})
		require.NoError(t, err)
		a := s.Do(apptest.Call{Method: http.MethodPost, Path: "/dev/customers", Body: string(body)})
		require.Equal(t, http.StatusOK, a.Status, string(a.Body))
		var c demo.Customer
		a.JSON(t, &c)
		var in struct {
			Token string `json:"id_token"`
		}
		s.Do(apptest.Call{Method: http.MethodPost, Host: c.Host, Path: "/auth/sign-in",
			Body: map[string]string{"username": c.Username, "password": c.Password}}).JSON(t, &in)
		t.Run("9-figures-agree", func(t *testing.T) {
			(&figures{t: t, s: s, host: c.Host, token: in.Token, name: fmt.Sprint("generated ", n), today: today, count: compared}).all()
		})
	}
	for _, relation := range []string{"to pay", "overdue", "open of a year", "forecast of the settlement", "latest invoices"} {
		assert.Positive(t, compared[relation], relation)
	}
}

// relationsOfDemo are the comparisons that the people of the demo must make possible: a response that is missing compares nothing.
var relationsOfDemo = []string{"to pay", "to pay, by invoice", "overdue", "all years", "amount of a year", "invoices of a year",
	"open of a year", "all billed months", "latest invoices", "an agreement has its ten newest invoices", "term amount of the agreement",
	"parts of the term amount", "forecast of the settlement", "advised amount", "usage of a year", "usage of a month",
	"usage of this month", "cost of this month", "cost of this month last year", "cost of all connections", "rows of a cost",
	"bars of a cost", "estimated cost of this month", "rows of an estimate", "production of this year", "production of last year",
	"production of today", "this year through yesterday", "the same days of last year"}

// figures compares the responses that one customer receives: if two screens show the same figure, the values are equal (9-figures-agree).
type figures struct {
	t     *testing.T
	s     *apptest.Server
	host  string
	token string
	name  string
	today value.Day
	count map[string]int // number of comparisons by relation
}

type object = map[string]any

// get returns false for 403 and 404: the label does not have the module, or there is no data.
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

// near compares sums of rounded values, to a thousandth.
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

// invoices checks that the amount to pay, the totals per year, the newest invoices and the chart follow from the invoices.
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

func jsonYear(y object) string {
	return value.Day{Year: int(num(y["year"])), Month: 1, Day: 1}.String()[:4]
}

// termAmounts checks that the agreements state the same amounts, and that the recommended amount leaves nothing to pay if the range allows
// it.
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
			f.count["advised amount"]++
			assert.GreaterOrEqual(f.t, outcome(proposed), -0.001, "%s: the advised amount leaves something to pay", f.name)
		}
		if proposed-1 >= num(p["min_amount"]) {
			assert.Negative(f.t, outcome(proposed-1), "%s: a euro less is enough", f.name)
		}
	}
}

// usage checks that a month has the same usage and cost on the dashboard, on /usage and in the chart of the year.
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
		if whole := forecast.Total["last_year"]; whole != nil {
			total := 0.0
			for _, c := range forecast.Connections {
				total += num(c["cost"].(object)["last_year"])
			}
			f.equal("cost of all connections", num(whole), total, "last_year")
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
		var cost, before object
		if expected != nil && expected["last_year"] != nil &&
			f.get("/usage/"+ean+"/cost?from="+month.AddMonths(-12).String()+"&to="+month.AddMonths(-11).String(), &before) {
			f.equal("cost of this month last year", num(before["total"]), num(expected["last_year"]), ean)
		}
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

// periods checks that a year is the sum of its months, and a month the sum of its days, for usage and cost.
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
		days := "from=" + begin.String() + "&to=" + begin.AddMonths(1).String()
		if !f.get("/usage/"+ean+"/cost?"+days, &cost) || !f.get("/usage/"+ean+"/cost?unit=day&"+days, &bars) || cost["total"] == nil {
			continue
		}
		f.equal("rows of a cost", num(cost["total"]), sum(objects(cost["rows"]), "amount"), ean, begin.String())
		// a day that only meter readings complete has no amount, and the chart says so (9-usage-euro-unknown); without daily values there
		// are no bars
		if list := objects(bars["bars"]); len(list) > 0 && !slices.ContainsFunc(list, func(bar object) bool { return bar["amount"] == nil }) {
			f.equal("bars of a cost", num(cost["total"]), sum(list, "amount"), ean, begin.String())
		}
	}
}

// production checks that the production of a member's shares is the same in the summary, on the participations page and in the charts.
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
		// /overview compares whole months, and the current month up to and including yesterday
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
