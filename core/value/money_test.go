package value

import (
	"encoding/json"
	"testing"

	"pgregory.net/rapid"
)

func TestCents(t *testing.T) {
	for text, want := range map[string]Cents{"45": 4500, "45.5": 4550, "45.50": 4550, "0": 0, "-12.50": -1250, "0.05": 5, "-0.05": -5} {
		if got, err := ParseCents(text); err != nil || got != want {
			t.Errorf("%s: got %d, %v", text, got, err)
		}
	}
	for _, bad := range []string{"", "-", ".5", "5.", "1.234", "1,50", "1e3", "0x1", " 1", "1 ", "--1", "+1", "99999999999999999999", "NaN"} {
		if got, err := ParseCents(bad); err == nil {
			t.Errorf("%q was read as %s", bad, got)
		}
	}
}

func TestCentsRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := Cents(rapid.Int64Range(-1e15, 1e15).Draw(t, "cents"))
		b, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		var back Cents
		if err := json.Unmarshal(b, &back); err != nil || back != c {
			t.Fatalf("%d was written as %s and read as %d, %v", c, b, back, err)
		}
	})
}

func FuzzParseCents(f *testing.F) {
	for _, s := range []string{"45.50", "-0.01", "1.234", "9999999999999999"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		c, err := ParseCents(s)
		if err != nil {
			return
		}
		if back, err := ParseCents(c.String()); err != nil || back != c {
			t.Errorf("%q is %s, which is read as %s, %v", s, c, back, err)
		}
	})
}
