package account

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A back office may write a number where a text stands, and any text as JSON can write it.
func TestTextOfARecord(t *testing.T) {
	for in, want := range map[string]text{`"12"`: "12", `"a\"b\u00e9"`: `a"bé`, `"é"`: "é", `0`: "0", `9`: "9", `12`: "12", `-3`: "-3", `null`: ""} {
		var got text
		require.NoError(t, json.Unmarshal([]byte(in), &got), in)
		assert.Equal(t, want, got, in)
	}
	for _, in := range []string{`true`, `{}`, `[]`} {
		var got text
		assert.Error(t, json.Unmarshal([]byte(in), &got), in)
	}
	var bad text
	require.NoError(t, bad.UnmarshalJSON([]byte("\"a\xffb\"")))
	assert.Equal(t, text("a\uFFFDb"), bad, "what is no UTF-8 is replaced, as everywhere in JSON")
}

// Every character of the three ranges counts, and none beside them.
func TestPasswordBorders(t *testing.T) {
	for _, good := range []string{"aaAA00", "zzZZ99", "azAZ09"} {
		assert.Empty(t, CheckPassword(good), good)
	}
	for _, bad := range []string{"aaAA//", "aaAA::", "00AA``", "00AA{{", "00aa@@", "00aa[["} {
		assert.Equal(t, []string{codePasswordRule}, CheckPassword(bad), bad)
	}
}

func TestFoundPlace(t *testing.T) {
	place := func(addresses ...Address) string { return (&Relation{Addresses: addresses}).Found("r").Place }
	far, home := Address{Type: Shipping, City: "Assen"}, Address{Type: Invoice, City: "Leek"}
	assert.Equal(t, "Leek", place(far, home))
	assert.Equal(t, "Leek", place(home, far))
	assert.Equal(t, "Assen", place(far, Address{Type: Shipping, City: "Haren"}))
	assert.Empty(t, place())
}

func TestKeys(t *testing.T) {
	assert.Equal(t, "boer f.a.", (&Relation{LastName: "Bóer", Initials: "F.A."}).Key())
	assert.Empty(t, (&Relation{LastName: "Boer"}).FirmKey())
	assert.Equal(t, "molen b.v.", (&Relation{Company: &Company{Name: "Mölen  B.V."}}).FirmKey())
	assert.Equal(t, "\u0080x", Fold("\u0080X"), "the first character that is not ASCII")
	assert.Equal(t, []string{"e", "emile", "zoe"}, []string{Fold("É"), Fold("Émile"), Fold("ZOË")})
	assert.Equal(t, []string{"de la"}, ReadWanted("de la").Names, "of nothing but small words the whole")
	assert.Equal(t, []string{"f."}, ReadWanted("F.").Names)
}

// Each mail is in the language of its reader; any but English is Dutch.
func TestMails(t *testing.T) {
	for locale, want := range map[string][2]string{
		"en": {"Is this your new email address?", "Your email address is about to change"},
		"nl": {"Is dit je nieuwe e-mailadres?", "Je e-mailadres wordt gewijzigd"}, "de": {"Is dit je nieuwe e-mailadres?", "Je e-mailadres wordt gewijzigd"},
	} {
		verify, asked := mailVerify(locale, "a@b.example", "tok"), mailAsked(locale, "a@b.example")
		assert.Equal(t, want, [2]string{verify.Title, asked.Title}, locale)
		assert.Equal(t, "/verify/tok", verify.Button.Path)
		assert.Equal(t, locale, asked.Locale)
	}
}
