package demodata

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"strings"
	"text/template"
	"time"

	"github.com/wattle-portal/wattle/core/value"
)

// date is a day that a template writes as YYYY-MM-DD, or in another format: {{(month -1).Format "200601"}}.
type date struct{ value.Day }

// Format returns the day in a layout of package time.
func (d date) Format(layout string) string { return d.In(time.UTC).Format(layout) }

// Texts executes the templates in demo data.
type Texts struct {
	funcs  template.FuncMap
	shapes string
}

// NewTexts returns Texts with the standard functions at now, a time in the label's time zone, and with shapes.
func NewTexts(now time.Time, shapes string) Texts { return Texts{functions(now), shapes} }

// WithFuncs returns Texts with additional functions.
func (t Texts) WithFuncs(funcs template.FuncMap) Texts {
	out := Texts{maps.Clone(t.funcs), t.shapes}
	maps.Copy(out.funcs, funcs)
	return out
}

// For adds the functions for the records of one new customer: {{debtor}}, {{id}} (unique to the customer, for ids of invoices and files)
// and {{ean 1}} (an EAN that no other customer has, with a correct check digit).
func (t Texts) For(debtor, id string) Texts {
	return t.WithFuncs(template.FuncMap{
		"debtor": func() string { return debtor },
		"id":     func() string { return id },
		"ean":    func(n int) string { return EAN(debtor, n) },
	})
}

// Execute executes the templates in text, which may use the shapes. name appears in errors.
func (t Texts) Execute(name, text string) ([]byte, error) {
	x, err := template.New("shapes").Option("missingkey=error").Funcs(t.funcs).Parse(t.shapes)
	if err == nil {
		x, err = x.New(name).Parse(text)
	}
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := x.Execute(&out, nil); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// Value executes the templates in the strings of a JSON value.
func (t Texts) Value(v any) (any, error) {
	var err error
	switch v := v.(type) {
	case string:
		if !strings.Contains(v, "{{") {
			return v, nil
		}
		b, err := t.Execute("value", v)
		return string(b), err
	case []any:
		out := make([]any, len(v))
		for i := range v {
			if out[i], err = t.Value(v[i]); err != nil {
				return nil, err
			}
		}
		return out, nil
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, x := range v {
			key, err := t.Value(name) // keys may be templates: the key of a delivery is the id of its agreement
			if err != nil {
				return nil, err
			}
			if out[key.(string)], err = t.Value(x); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	return v, nil
}

// functions returns the functions for demo records. They compute dates relative to now, so that the data stays current. Days are in the
// label's time zone.
func functions(now time.Time) template.FuncMap {
	today := value.DayOf(now)
	return template.FuncMap{
		// {{day -30}} is thirty days ago.
		"day": func(days int) date { return date{today.AddDays(days)} },
		// {{month -1}} is the first day of last month, {{month -1 14}} is the fifteenth, and {{month 0 -1}} is the last day of last month.
		"month": func(months int, days ...int) date {
			d := value.Day{Year: today.Year, Month: today.Month, Day: 1}.AddMonths(months)
			for _, n := range days {
				d = d.AddDays(n)
			}
			return date{d}
		},
		// {{year -1}} is the number of last year.
		"year": func(years int) int { return today.Year + years },
		// {{at -2 "14:30"}} is 14:30 on the day before yesterday, with the UTC offset of the label's time zone.
		"at": func(days int, clock string) (string, error) {
			t, err := time.Parse("15:04", clock)
			if err != nil {
				return "", err
			}
			d := today.AddDays(days)
			return time.Date(d.Year, d.Month, d.Day, t.Hour(), t.Minute(), 0, 0, now.Location()).Format(time.RFC3339), nil
		},
		"add": func(n ...int) (sum int) {
			for _, x := range n {
				sum += x
			}
			return sum
		},
		"mul": func(a, b int) int { return a * b },
		// {{seq -2 0}} is -2, -1, 0.
		"seq": func(first, last int) (out []int) {
			for n := first; n <= last; n++ {
				out = append(out, n)
			}
			return out
		},
		// {{of "debtor" "10240001" "amount" 18700}} passes parameters to a shape.
		"of": func(pairs ...any) (map[string]any, error) {
			out := map[string]any{}
			for i := 0; i < len(pairs); i += 2 {
				name, ok := pairs[i].(string)
				if !ok || i+1 == len(pairs) {
					return nil, errors.New("of takes alternating names and values")
				}
				out[name] = pairs[i+1]
			}
			return out, nil
		},
		// {{after "/api/v0" (kept "page")}} is the part of an address after /api/v0.
		"after": func(mark string, text any) (string, error) {
			_, rest, found := strings.Cut(fmt.Sprint(text), mark)
			if !found {
				return "", fmt.Errorf("%q is not in %v", mark, text)
			}
			return rest, nil
		},
		// {{euro 14550}} is 145.50.
		"euro": func(cents int) string { return value.Cents(cents).String() },
	}
}

// EAN returns an EAN of 18 digits with a correct check digit, derived from a debtor number and n.
func EAN(debtor string, n int) string {
	sum := sha256.Sum256([]byte(debtor))
	digits := fmt.Sprintf("87169%010d%02d", binary.BigEndian.Uint64(sum[:])%1e10, n%100)
	weighted := 0
	for i, d := range digits {
		weighted += int(d-'0') * (3 - i%2*2) // weights 3, 1, 3 … from the left: there are 17 digits before the check digit
	}
	return fmt.Sprintf("%s%d", digits, (10-weighted%10)%10)
}
