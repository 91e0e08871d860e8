package billing

import (
	"cmp"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
)

// vectors runs the cases of schemas/rules/<row>.json.
func vectors[G, W any](t *testing.T, row string, check func(input G, today value.Day) W) {
	t.Helper()
	t.Run(row, func(t *testing.T) {
		moduletest.RunCases(t, "../../schemas/rules/"+row+".json", func(input G, today value.Day, _ struct{}) W { return check(input, today) })
	})
}

// codes returns an empty list for nil, to compare it with an empty list in a test case.
func codes(c []string) []string { return append([]string{}, c...) }

func day(t testing.TB, s string) value.Day {
	d, err := value.ParseDay(s)
	require.NoError(t, err)
	return d
}

func TestBankAccount(t *testing.T) {
	type entered struct{ IBAN, Current string }
	iban := func(e entered, _ value.Day) []string {
		return codes(CheckIBAN(value.NormalizeIBAN(e.IBAN), e.Current))
	}
	for _, row := range []string{"5.1-iban-required", "5.1-iban-same", "5.1-iban-length", "5.1-iban-checksum-reconcile"} {
		vectors(t, row, iban)
	}
	vectors(t, "5.1-iban-normalise", func(s string, _ value.Day) []string { return []string{value.NormalizeIBAN(s)} })
	name := func(s string, _ value.Day) []string { return codes(CheckAccountName(s)) }
	vectors(t, "5.1-name-required", name)
	vectors(t, "5.1-name-max", name)
	from := func(s string, today value.Day) []string { return codes(CheckFromDate(s, today)) }
	vectors(t, "5.1-date-required", from)
	vectors(t, "5.1-date-min", from)
	t.Run("5.1-date-format", func(t *testing.T) {
		for _, s := range []string{"21-12-2026", "12/21/2026", "2026-12-21T00:00:00Z", "20261221", "2026-2-3", "2026-02-30", " 2026-12-21"} {
			assert.Equal(t, []string{codeDateRequired}, CheckFromDate(s, day(t, "2026-11-20")), s)
		}
		assert.Empty(t, CheckFromDate("2026-12-21", day(t, "2026-11-20")))
	})
	t.Run("every invalid field gets its own code", func(t *testing.T) {
		_, fieldErrors := BankAccount{Number: "x", Name: "y", From: "z"}.Check("", day(t, "2026-11-20"))
		assert.Equal(t, []problem.FieldError{{Field: "change_bank_account_number", Code: codeIBANNotValid},
			{Field: "change_bank_account_name", Code: codeNameRequired}, {Field: "from_date", Code: codeDateRequired}}, fieldErrors)
	})
	t.Run("a single wrong character is detected", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			good := rapid.SampledFrom([]string{"NL91ABNA0417164300", "DE89370400440532013000", "NO9386011117947",
				"MT84MALT011000012345MTLCAST001S"}).Draw(t, "iban")
			require.True(t, value.ValidIBAN(good))
			at := rapid.IntRange(0, len(good)-1).Draw(t, "at")
			with := rapid.SampledFrom([]byte("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ")).Draw(t, "with")
			bad := good[:at] + string(with) + good[at+1:]
			// A letter counts as two digits, so the check modulo 97 cannot distinguish some characters.
			if bad != good && good[at] <= '9' && with <= '9' {
				assert.False(t, value.ValidIBAN(bad), bad)
			}
		})
	})
}

func FuzzIBAN(f *testing.F) {
	f.Add("NL91ABNA0417164300")
	f.Add("nl")
	f.Add("\xff\x00ＮＬ")
	f.Fuzz(func(t *testing.T, s string) {
		n := value.NormalizeIBAN(s)
		if n != value.NormalizeIBAN(n) {
			t.Errorf("normalized twice: %q", n)
		}
		if CheckIBAN(n, "") == nil && (len(n) < minIBAN || len(n) > maxIBAN) {
			t.Errorf("taken: %q", n)
		}
	})
}

func TestInvoiceOverdue(t *testing.T) {
	vectors(t, "9-invoice-overdue", func(i Invoice, today value.Day) []bool { return []bool{i.isPayable(), i.isOverdue(today)} })
}

func TestTermAmount(t *testing.T) {
	type given struct {
		Amount Amount
		Details
	}
	check := func(g given, _ value.Day) []string {
		_, refused := CheckTermAmount(g.Amount, g.Details)
		return codes(refused)
	}
	vectors(t, "5.6-amount-range", check)
	vectors(t, "5.6-amount-differs", check)
	vectors(t, "5.6-amount-decimals", check)
	vectors(t, "9-term-amount-forecast", func(g struct {
		YearEnd
		Current value.Cents `json:"current_amount"`
		Amount  value.Cents
	}, _ value.Day) []value.Cents {
		return []value.Cents{g.Outcome(g.Current, g.Amount)}
	})
	t.Run("5.6-amount-decimals", func(t *testing.T) {
		bounds := Details{Current: 5000, Min: 1000, Max: 9000}
		for body, want := range map[string]string{`45.5`: "", `"45.50"`: "", `45.505`: codeAmountDecimals, `4.5e1`: codeAmountDecimals,
			`"45,50"`: codeAmountDecimals, `"abc"`: codeAmountDecimals, `true`: codeAmountDecimals, `{}`: codeAmountDecimals,
			`null`: codeAmountRequired, `""`: codeAmountRequired} {
			var a Amount
			require.NoError(t, json.Unmarshal([]byte(body), &a))
			_, refused := CheckTermAmount(a, bounds)
			assert.Equal(t, want, strings.Join(refused, ","), body)
		}
	})
	t.Run("an accepted amount is in the range and differs", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			low := value.Cents(rapid.Int64Range(0, 50000).Draw(t, "min"))
			d := Details{Min: low, Max: low + value.Cents(rapid.Int64Range(0, 50000).Draw(t, "more")),
				Current: value.Cents(rapid.Int64Range(0, 100000).Draw(t, "current"))}
			amount := value.Cents(rapid.Int64Range(-10, 110000).Draw(t, "amount"))
			got, refused := CheckTermAmount(Amount(amount.String()), d)
			fine := amount >= d.Min && amount <= d.Max && amount != d.Current
			if fine != (refused == nil) || fine && got != amount {
				t.Fatalf("%s of %+v: %v", amount, d, refused)
			}
		})
	})
}

func TestYearEnd(t *testing.T) {
	figures := YearEnd{ExpectedCost: 180000, Paid: 60000, SettlesOn: day(t, "2027-03-01")}
	monthly := collections{next: day(t, "2026-11-28"), current: 15000}
	on := func(today string) (YearEnd, bool) { return figures.ForDay(day(t, today), monthly) }
	y, ok := on("2026-11-20")
	require.True(t, ok)
	assert.Equal(t, 4, y.MonthsLeft, "28 November, December, January, February")
	assert.Equal(t, value.Cents(60000), y.Paid)
	y, _ = on("2026-11-28")
	assert.Equal(t, 4, y.MonthsLeft, "today's collection counts as left")
	y, _ = on("2026-12-01")
	assert.Equal(t, 3, y.MonthsLeft)
	assert.Equal(t, value.Cents(75000), y.Paid, "includes collections after the figures of the back office")
	assert.Equal(t, value.Cents(75000+3*15000-180000), y.Outcome(15000, 15000))
	_, ok = on("2027-03-01")
	assert.False(t, ok, "settled")
	y, ok = figures.ForDay(day(t, "2026-11-20"), collections{current: 15000})
	assert.True(t, ok)
	assert.Equal(t, 0, y.MonthsLeft, "no collection is planned")

	t.Run("the outcome with the current amount is the same every day", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			today := value.Day{Year: 2026, Month: 11, Day: 20}.AddDays(rapid.IntRange(0, 100).Draw(t, "days"))
			c := monthly
			c.changed = today.AddDays(rapid.IntRange(0, 120).Draw(t, "changed"))
			y, ok := figures.ForDay(today, c)
			if want := value.Cents(60000 + 4*15000 - 180000); ok && y.Outcome(15000, 15000) != want {
				t.Fatalf("on %s: %s", today, y.Outcome(15000, 15000))
			}
		})
	})
}

// TestForecast uses an agreement that is settled on 1 March, with collections on the 28th. Its cases are days before and after a
// collection, changes that are pending or take too long, and the first and the last month of an agreement.
func TestForecast(t *testing.T) {
	t.Run("9-term-amount-forecast", func(t *testing.T) {
		for name, c := range map[string]struct {
			today, requested, next, end string
			want                        YearEnd // without ExpectedCost
			from                        string
		}{
			"the collection is too near": {today: "2026-11-26",
				want: YearEnd{Paid: 60000, MonthsLeft: 4, MonthsUnchanged: 1}, from: "2026-12-28"},
			"the last day that is early enough": {today: "2026-11-25", want: YearEnd{Paid: 60000, MonthsLeft: 4}, from: "2026-11-28"},
			"today's collection": {today: "2026-11-28",
				want: YearEnd{Paid: 60000, MonthsLeft: 4, MonthsUnchanged: 1}, from: "2026-12-28"},
			"after the collection": {today: "2026-11-29", want: YearEnd{Paid: 75000, MonthsLeft: 3}, from: "2026-12-28"},
			"a pending change": {today: "2026-11-26", requested: "2026-11-25",
				want: YearEnd{Paid: 60000, MonthsLeft: 4}, from: "2026-11-28"},
			"a pending change that takes longer": {today: "2026-11-28", requested: "2026-11-20",
				want: YearEnd{Paid: 60000, MonthsLeft: 4, MonthsUnchanged: 1}},
			"the last collection is too near": {today: "2027-02-25",
				want: YearEnd{Paid: 105000, MonthsLeft: 1, MonthsUnchanged: 1}, from: "2027-03-28"},
			"the first month": {today: "2026-11-20", next: "2026-12-28",
				want: YearEnd{Paid: 60000, MonthsLeft: 3}, from: "2026-12-28"},
			"the last month": {today: "2026-11-26", end: "2026-12-27",
				want: YearEnd{Paid: 60000, MonthsLeft: 1, MonthsUnchanged: 1}},
			"the last day is a collection": {today: "2026-11-26", end: "2026-12-28",
				want: YearEnd{Paid: 60000, MonthsLeft: 2, MonthsUnchanged: 1}, from: "2026-12-28"},
		} {
			a := storedAgreement{NextCollection: day(t, cmp.Or(c.next, "2026-11-28")),
				YearEnd: &YearEnd{ExpectedCost: 180000, Paid: 60000, SettlesOn: day(t, "2027-03-01")}}
			a.Periodical = &Payment{Details: Details{Current: 15000, Min: 10000, Max: 30000}}
			if c.end != "" {
				end := day(t, c.end)
				a.Period.To = &end
			}
			var pending *pendingAmount
			if c.requested != "" {
				pending = &pendingAmount{amount: 20000, on: day(t, c.requested)}
			}
			p := a.termAmount(day(t, c.today), pending)
			c.want.ExpectedCost, c.want.SettlesOn = 180000, day(t, "2027-03-01")
			assert.Equal(t, &c.want, p.YearEnd, name)
			var from value.Day
			if c.from != "" {
				from = day(t, c.from)
			}
			assert.Equal(t, from, p.CountsFrom, name)
		}
	})
}

func TestAdvice(t *testing.T) {
	vectors(t, "9-term-amount-advice", func(g struct {
		YearEnd
		Details
	}, _ value.Day) []value.Cents {
		return []value.Cents{g.Advice(g.Details)}
	})
	t.Run("9-term-amount-advice", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			amount := func(name string, least, most int64) value.Cents {
				return value.Cents(rapid.Int64Range(least, most).Draw(t, name))
			}
			y := YearEnd{ExpectedCost: amount("expected", -100_00, 10_000_00), Paid: amount("paid", 0, 10_000_00),
				MonthsUnchanged: rapid.IntRange(0, 3).Draw(t, "unchanged")}
			y.MonthsLeft = y.MonthsUnchanged + rapid.IntRange(1, 24).Draw(t, "changed")
			low := amount("min", 0, 500_00)
			d := Details{Min: low, Max: low + amount("more", 0, 1_000_00), Proposed: amount("proposed", 0, 500_00),
				Current: amount("current", 0, 500_00)}
			advice := y.Advice(d)
			if advice < d.Min || advice > d.Max {
				t.Fatalf("%s is not in %+v", advice, d)
			}
			outcome := y.Outcome(d.Current, advice)
			if outcome < 0 && advice != d.Max {
				t.Fatalf("%s leaves %s to pay, and more may be chosen", advice, -outcome)
			}
			if less := advice - 100; less >= d.Min && advice%100 == 0 && y.Outcome(d.Current, less) >= 0 {
				t.Fatalf("%s is more than is needed: %s is enough", advice, less)
			}
		})
	})
}

func TestNextCollection(t *testing.T) {
	for _, c := range []struct{ known, today, want string }{
		{"2026-11-28", "2026-11-20", "2026-11-28"},
		{"2026-11-20", "2026-11-20", "2026-11-20"},
		{"2026-11-19", "2026-11-20", "2026-12-19"},
		{"2026-01-31", "2026-02-28", "2026-02-28"},
		{"2026-01-31", "2026-03-01", "2026-03-31"},
		{"2025-12-28", "2026-01-02", "2026-01-28"},
	} {
		assert.Equal(t, c.want, NextCollection(day(t, c.known), day(t, c.today)).String(), c)
	}
	assert.True(t, NextCollection(value.Day{}, day(t, "2026-11-20")).IsZero())
}

func TestFixedReason(t *testing.T) {
	today := day(t, "2026-11-20")
	yesterday := today.AddDays(-1)
	open := Agreement{Status: "ACTIVE", Period: Period{From: day(t, "2025-01-01")}, Periodical: &Payment{Details: Details{Min: 1, Max: 2}}}
	assert.Equal(t, "", fixedReason(&open, today, false))
	assert.Equal(t, codeTermPending, fixedReason(&open, today, true))
	ended, over, alone := open, open, open
	ended.Status = statusTerminated
	over.Period.To = &yesterday
	alone.Periodical = &Payment{Details: Details{Min: 2, Max: 2}}
	assert.Equal(t, codeTermEnded, fixedReason(&ended, today, false))
	assert.Equal(t, codeTermEnded, fixedReason(&over, today, false))
	assert.Equal(t, codeTermFixed, fixedReason(&alone, today, false))
}

func TestCurrentAgreement(t *testing.T) {
	today, last := day(t, "2026-11-20"), day(t, "2026-11-20")
	a := Agreement{Status: "ACTIVE", Period: Period{From: today}}
	assert.True(t, a.isCurrent(today))
	assert.False(t, a.isCurrent(today.AddDays(-1)))
	a.Period.To = &last
	assert.True(t, a.isCurrent(today), "the last day is included")
	assert.False(t, a.isCurrent(today.AddDays(1)))
	a.Status = "CANCELLED"
	assert.False(t, a.isCurrent(today))
}
