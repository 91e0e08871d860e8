package mapping

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestThousands(t *testing.T) {
	comma, point := Field{Number: ","}, Field{Number: "."}
	dot := Field{Number: ",", Thousands: "."}
	t.Run("11-import-thousands", func(t *testing.T) {
		for _, c := range []struct {
			field      Field
			text, want string
		}{
			{comma, "1.234,5", "1234.5"},
			{comma, "1.234,56", "1234.56"},
			{comma, "-1.234,56", "-1234.56"},
			{comma, "12.345.678,9", "12345678.9"},
			{comma, "1.234.567", "1234567"},
			{comma, "1 234,56", "1234.56"},
			{comma, "1 234", "1234"},
			{comma, "1\u00a0234,56", "1234.56"},
			{comma, "1\u202f234,56", "1234.56"},
			{comma, "1'234,56", "1234.56"},
			{comma, "1\u2019234,56", "1234.56"},
			{comma, "123.456,00", "123456.00"},
			{comma, "1,234", "1.234"},
			{point, "1,234.56", "1234.56"},
			{point, "1,234,567", "1234567"},
			{point, "1.234", "1.234"},
			{point, "1'234.5", "1234.5"},
			{dot, "1.234", "1234"},
			{dot, "1.234,5", "1234.5"},
			{dot, "234,5", "234.5"},
			{Field{Number: ",", Thousands: ".", Scale: "0.01", Negate: true}, "1.234", "-12.34"},
		} {
			require.Equal(t, c.want, read(t, c.field, c.text), "%+v %s", c.field, c.text)
		}
	})
	t.Run("11-import-thousands-refused", func(t *testing.T) {
		for _, c := range []struct {
			field      Field
			text, want string
		}{
			{comma, "1.234", `ambiguous_number: "1.234" is 1234 or 1.234: in the mapping, add thousands: "." to the field if the point separates thousands, or write number: "." if it is the decimal point`},
			{comma, "-12.345", `ambiguous_number: "-12.345" is -12345 or -12.345: in the mapping, `},
			{point, "1,234", `ambiguous_number: "1,234" is 1234 or 1.234: in the mapping, add thousands: "," to the field if the comma separates thousands, or write number: "," if it is the decimal comma`},
			{comma, "0.196", `not_a_number: "0.196" is not a number with a decimal comma`},
			{comma, "01.234", "not_a_number: "},
			{comma, "1234.567", "not_a_number: "},
			{comma, "1.23.456", "not_a_number: "},
			{comma, "1.2345", "not_a_number: "},
			{comma, ".234", "not_a_number: "},
			{comma, "1..234", "not_a_number: "},
			{comma, "1.234 567", "not_a_number: "},
			{comma, "1,234.567", "not_a_number: "},
			{comma, "1.234,", "not_a_number: "},
			{comma, "1.23a", "not_a_number: "},
			{point, "1.234,56", "not_a_number: "},
			{dot, "1 234,5", "not_a_number: "},
		} {
			require.Contains(t, read(t, c.field, c.text), c.want, "%+v %s", c.field, c.text)
		}
	})
}

// Whatever the text, it becomes a number with the same digits, or is refused.
func FuzzThousands(f *testing.F) {
	for _, text := range []string{"1.234,56", "1.234", "1 234", "-1'234,5", "0.196", "1.234.567", "\xff", ",", "1\u00a0234"} {
		f.Add(text, uint8(0))
		f.Add(text, uint8(5))
	}
	f.Fuzz(func(t *testing.T, text string, how uint8) {
		field := Field{Column: "A", Number: []string{",", "."}[how%2], Thousands: append([]string{""}, separators...)[int(how/2)%5]}
		if field.check() != "" {
			return
		}
		m := Mapping{Kind: "x", Records: []Record{{Fields: map[string]Field{"f": field}}}}
		lines, err := m.For([]string{"A"}, nil, amsterdam(t))
		require.NoError(t, err)
		got := lines.Of([]string{text})[0]
		if len(got.Refused) > 0 {
			if got.Refused[0].Hint == "" {
				t.Fatalf("%q is refused without a reason", text)
			}
			return
		}
		var out struct{ F json.Number }
		if err := json.Unmarshal(got.Data, &out); err != nil {
			t.Fatalf("%q: %s", text, got.Data)
		}
		if out.F == "" && strings.TrimSpace(text) == "" {
			return
		}
		digits := func(s string) string {
			return strings.TrimLeft(strings.Map(func(r rune) rune {
				if r >= '0' && r <= '9' {
					return r
				}
				return -1
			}, s), "0")
		}
		if digits(string(out.F)) != digits(text) {
			t.Fatalf("%q became %s", text, out.F)
		}
		whole, decimals, _ := strings.Cut(string(out.F), ".")
		_, marked, _ := strings.Cut(strings.TrimSpace(text), field.Number)
		if digits(decimals) != digits(marked) || len(whole) == 0 {
			t.Fatalf("%q became %s", text, out.F)
		}
	})
}
