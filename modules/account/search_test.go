package account

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestParseQuery(t *testing.T) {
	for typed, want := range map[string]Query{
		"":                     {},
		"   ":                  {},
		" Anna@Klant.EXAMPLE ": {Email: "anna@klant.example"},
		"10240001":             {DebtorNumbers: []string{"10240001"}, Names: []string{"10240001"}, Company: "10240001"},
		"p7xyz":                {DebtorNumbers: []string{"p7xyz", "P7XYZ"}, Names: []string{"p7xyz"}, Company: "p7xyz"},
		"Boer":                 {DebtorNumbers: []string{"Boer", "BOER"}, Names: []string{"boer"}, Company: "boer"},
		"de Boer":              {DebtorNumbers: []string{"de Boer", "DE BOER"}, Names: []string{"de boer", "boer"}, Company: "de boer"},
		"F.A. de Boer": {DebtorNumbers: []string{"F.A. de Boer", "F.A. DE BOER"}, Names: []string{"f.a. de boer", "boer"},
			Company: "f.a. de boer"},
		"Fenna  de Böer": {DebtorNumbers: []string{"Fenna  de Böer", "FENNA  DE BÖER"},
			Names: []string{"fenna de boer", "fenna boer", "boer"}, Company: "fenna de boer"},
		"Jansen de Vries": {DebtorNumbers: []string{"Jansen de Vries", "JANSEN DE VRIES"},
			Names: []string{"jansen de vries", "jansen vries", "vries"}, Company: "jansen de vries"},
		"de":               {DebtorNumbers: []string{"de", "DE"}, Names: []string{"de"}, Company: "de"},
		"2555BX":           {DebtorNumbers: []string{"2555BX"}, Place: "2555BX "},
		" 2555 bx":         {DebtorNumbers: []string{"2555 bx", "2555 BX"}, Place: "2555BX "},
		"2555 BX 12":       {DebtorNumbers: []string{"2555 BX 12"}, Place: "2555BX 12 "},
		"2555BX12":         {DebtorNumbers: []string{"2555BX12"}, Place: "2555BX 12 "},
		"2555BX, 12 - Bis": {DebtorNumbers: []string{"2555BX, 12 - Bis", "2555BX, 12 - BIS"}, Place: "2555BX 12 bis"},
		"2555BXX":          {DebtorNumbers: []string{"2555BXX"}, Names: []string{"2555bxx"}, Company: "2555bxx"},
	} {
		assert.Equal(t, want, ParseQuery(typed), typed)
	}
}

// The audit log of staff contains the kind of a search and no personal data.
func TestQueryKind(t *testing.T) {
	for typed, want := range map[string]string{"fenna@voorbeeld.example": "email", "10240001": "number", "p7": "number", "de Boer": "name",
		"2555BX": "address", " 2555 bx 12": "address", "2555bx12": "address", "2555BX, 12 - Bis": "address", "2555BXX": "number",
		"": "name"} {
		assert.Equal(t, want, ParseQuery(typed).Kind(), typed)
	}
}

// A relation is found at its first address of delivery.
func TestPlaceKey(t *testing.T) {
	at := func(kind AddressType, zip, number, extension string) Address {
		return Address{Type: kind, ZipCode: zip, Number: number, Extension: extension}
	}
	post := at(Invoice, "1000AA", "1", "")
	for want, addresses := range map[string][]Address{
		"":              nil,
		"1000AA 1 ":     {post},
		"2555BX 12 a":   {post, at(Shipping, "2555 bx", "12", "A"), at(Shipping, "3000AA", "3", "")},
		"2555BX 12 bis": {at(Shipping, "2555BX", "12 - Bis", "")},
		"2555BX ":       {at(Shipping, "2555BX", "", "")},
	} {
		r := &Relation{Addresses: addresses}
		assert.Equal(t, want, r.PlaceKey())
	}
	unknown := &Relation{Addresses: []Address{at(Shipping, "", "12", "")}}
	assert.Empty(t, unknown.PlaceKey())
}

// No prefix begins with another one, and encoding and decoding do not change a cursor.
func TestQueriesAndCursors(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := ParseQuery(rapid.String().Draw(t, "typed"))
		for i, a := range w.Names {
			for k, b := range w.Names {
				if i != k && len(b) >= len(a) && b[:len(a)] == a {
					t.Fatalf("%q is found with %q", b, a)
				}
			}
		}
		c := Cursor{rapid.String().Draw(t, "key"), rapid.String().Draw(t, "relation")}
		back, err := ParseCursor(c.String())
		require.NoError(t, err)
		if c.Key == string([]rune(c.Key)) && c.Relation == string([]rune(c.Relation)) { // JSON can contain only UTF-8
			assert.Equal(t, c, back)
		}
	})
	_, err := ParseCursor("junk")
	require.Error(t, err)
}
