package address

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/wattle-portal/wattle/core/source"
)

func TestAddresses(t *testing.T) {
	text := func(s string) *string { return &s }
	house := func(extensions ...string) (at []Address) {
		for _, e := range extensions {
			at = append(at, Address{Extension: e})
		}
		return at
	}
	for _, c := range []struct {
		what         string
		at           []Address
		extension    *string
		want         *string
		alternatives []string
	}{
		{"none", nil, nil, nil, nil},
		{"none, with an extension", nil, text("A"), nil, nil},
		{"one", house(""), nil, text(""), nil},
		{"one, with an empty extension", house(""), text(""), text(""), nil},
		{"one, with an extension", house("A"), nil, text("A"), nil},
		{"another extension than the only one", house("A"), text("B"), nil, nil},
		{"an extension for an address without one", house(""), text("A"), nil, nil},
		{"several", house("", "A"), nil, nil, []string{"", "A"}},
		{"several, the one without an extension chosen", house("", "A"), text(""), text(""), nil},
		{"several, each with an extension", house("A", "B"), text(" "), nil, []string{"A", "B"}},
		{"chosen", house("A", "B-2", "bis"), text("b 2"), text("B-2"), nil},
		{"chosen in capitals", house("A", "bis"), text("BIS"), text("bis"), nil},
	} {
		found, alternatives := Resolve(c.at, c.extension)
		assert.Equal(t, append([]string{}, c.alternatives...), append([]string{}, alternatives...), c.what)
		if c.want == nil {
			assert.Nil(t, found, c.what)
		} else if assert.NotNil(t, found, c.what) {
			assert.Equal(t, *c.want, found.Extension, c.what)
		}
	}
	t.Run("extensions are sorted 1, 2, 10, then A", func(t *testing.T) {
		mixed := house("bis", "B", "10", "A-10", "2", "", "A-2", "a2", "1")
		assert.Equal(t, []string{"", "1", "2", "10", "A-2", "A-10", "B", "bis"}, extensions(sortDistinct(mixed)))
	})
	t.Run("the order is transitive", func(t *testing.T) {
		word := rapid.StringMatching(`[0-9A-C]{0,4}`)
		rapid.Check(t, func(t *rapid.T) {
			a, b, c := word.Draw(t, "a"), word.Draw(t, "b"), word.Draw(t, "c")
			if compareExtensions(a, b) < 0 != (compareExtensions(b, a) > 0) || compareExtensions(a, b) < 0 && compareExtensions(b, c) < 0 &&
				compareExtensions(a, c) >= 0 {
				t.Fatal(a, b, c)
			}
		})
	})
	t.Run("impossible postal codes and house numbers are refused", func(t *testing.T) {
		for _, c := range [][2]string{{"", "1"}, {"1234AB", ""}, {"0234AB", "1"}, {"1234A", "1"}, {"12345", "1"}, {"1234ABC", "1"},
			{"1234AB", "0"},
			{"1234AB", "12A"}, {"1234AB", "-1"}, {"1234AB", "100000"}, {"1234AB", "1 OR 1=1"}, {"B-1000", "1"}, {"١٢٣٤AB", "1"}} {
			_, ok := ParseZipNumber(c[0], c[1])
			assert.False(t, ok, c)
		}
		p, ok := ParseZipNumber(" 9731 ab", " 7 ")
		assert.True(t, ok)
		assert.Equal(t, ZipNumber{"9731AB", "7"}, p)
	})
}

func TestNumbersAndTexts(t *testing.T) {
	for in, want := range map[string]string{`0`: "0", `9`: "9", `12`: "12", `-1`: "-1", `"12 A"`: "12 A", `null`: ""} {
		got, err := stringOrNumber([]byte(in))
		require.NoError(t, err, in)
		assert.Equal(t, want, got)
	}
	for _, in := range []string{`true`, `{}`, `[]`, `/`, `:`} {
		_, err := stringOrNumber([]byte(in))
		assert.Error(t, err, in)
	}
}

// parsePDOK returns only addresses that are complete and within the maximum lengths.
func TestReadPDOK(t *testing.T) {
	long := strings.Repeat("a", maxName)
	read := func(doc string) []Address {
		at, more, err := parsePDOK([]byte(`{"response":{"numFound":1,"docs":[`+doc+`]}}`), ZipNumber{"2513RZ", "12"})
		require.NoError(t, err, doc)
		assert.False(t, more)
		return at
	}
	doc := func(street, city, letter, addition, written string) string {
		return fmt.Sprintf(`{"type":"adres","straatnaam":%q,"woonplaatsnaam":%q,"postcode":"2513RZ","huisnummer":12,"huisletter":%q,"huisnummertoevoeging":%q,"huis_nlt":%q}`,
			street, city, letter, addition, written)
	}
	assert.Len(t, read(doc("Torenstraat", "Den Haag", "", "", "12")), 1)
	assert.Len(t, read(doc(long, long, "", "", "12")), 1)
	for _, none := range []string{doc("", "Den Haag", "", "", "12"), doc("Torenstraat", "", "", "", "12"),
		doc(long+"a", "Den Haag", "", "", "12"), doc("Torenstraat", long+"a", "", "", "12"),
		doc("T", "D", strings.Repeat("b", maxExtension+1), "", ""), "null", strings.Replace(doc("T", "D", "", "", "12"), "adres", "weg", 1),
		strings.Replace(doc("T", "D", "", "", "12"), "2513RZ", "2513RX", 1),
		strings.Replace(doc("T", "D", "", "", "12"), `"huisnummer":12`, `"huisnummer":13`, 1)} {
		assert.Empty(t, read(none), none)
	}
	assert.Len(t, read(doc("T", "D", strings.Repeat("b", maxExtension), "", "")), 1)
	for _, x := range []struct{ letter, addition, written, want string }{{"", "", "12-2", "2"}, {"A", "", "12 of iets", "A"},
		{"", "2", "12 of iets", "2"}, {"A", "2", "", "A-2"}} {
		at := read(doc("T", "D", x.letter, x.addition, x.written))
		require.Len(t, at, 1)
		assert.Equal(t, x.want, at[0].Extension, "%+v", x)
	}
}

// The embedded file contains addresses as a register returns them.
func TestEmbedded(t *testing.T) {
	e := loadEmbedded()
	at := func(zip, number string) []Address {
		found, err := e.Addresses(t.Context(), ZipNumber{zip, number})
		require.NoError(t, err)
		return found
	}
	assert.Len(t, at("9731AB", "7"), 1)
	assert.Equal(t, []string{"", "A", "B", "bis"}, extensions(at("9711CD", "12")))
	assert.Equal(t, []string{"1", "2", "3", "10"}, extensions(at("2513RZ", "200")))
	assert.Empty(t, at("9999ZZ", "1"))
	_, err := e.Addresses(t.Context(), ZipNumber{"9799ZZ", "1"})
	assert.ErrorIs(t, err, source.ErrDown)
}
