package account

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestWhatIsWanted(t *testing.T) {
	for typed, want := range map[string]Wanted{
		"":                     {},
		"   ":                  {},
		" Anna@Klant.EXAMPLE ": {Email: "anna@klant.example"},
		"10240001":             {Debtor: []string{"10240001"}, Names: []string{"10240001"}, Firm: "10240001"},
		"p7xyz":                {Debtor: []string{"p7xyz", "P7XYZ"}, Names: []string{"p7xyz"}, Firm: "p7xyz"},
		"Boer":                 {Debtor: []string{"Boer", "BOER"}, Names: []string{"boer"}, Firm: "boer"},
		"de Boer":              {Debtor: []string{"de Boer", "DE BOER"}, Names: []string{"de boer", "boer"}, Firm: "de boer"},
		"F.A. de Boer":         {Debtor: []string{"F.A. de Boer", "F.A. DE BOER"}, Names: []string{"f.a. de boer", "boer"}, Firm: "f.a. de boer"},
		"Fenna  de Böer":       {Debtor: []string{"Fenna  de Böer", "FENNA  DE BÖER"}, Names: []string{"fenna de boer", "fenna boer", "boer"}, Firm: "fenna de boer"},
		"Jansen de Vries":      {Debtor: []string{"Jansen de Vries", "JANSEN DE VRIES"}, Names: []string{"jansen de vries", "jansen vries", "vries"}, Firm: "jansen de vries"},
		"de":                   {Debtor: []string{"de", "DE"}, Names: []string{"de"}, Firm: "de"},
	} {
		assert.Equal(t, want, ReadWanted(typed), typed)
	}
}

// No name is looked for twice, and a cursor comes back as it was, whatever stands in it.
func TestWantedAndCursors(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := ReadWanted(rapid.String().Draw(t, "typed"))
		for i, a := range w.Names {
			for k, b := range w.Names {
				if i != k && len(b) >= len(a) && b[:len(a)] == a {
					t.Fatalf("%q is found with %q", b, a)
				}
			}
		}
		c := Cursor{rapid.String().Draw(t, "key"), rapid.String().Draw(t, "relation")}
		back, err := ReadCursor(c.String())
		require.NoError(t, err)
		if c.Key == string([]rune(c.Key)) && c.Relation == string([]rune(c.Relation)) { // JSON holds UTF-8 only
			assert.Equal(t, c, back)
		}
	})
	_, err := ReadCursor("junk")
	require.Error(t, err)
}
