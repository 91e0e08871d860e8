package account

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A back office may send a number instead of a string, and a string with any JSON escapes.
func TestStringOrNumber(t *testing.T) {
	for in, want := range map[string]stringOrNumber{`"12"`: "12", `"a\"b\u00e9"`: `a"bé`, `"é"`: "é", `0`: "0", `9`: "9", `12`: "12",
		`-3`: "-3", `null`: ""} {
		var got stringOrNumber
		require.NoError(t, json.Unmarshal([]byte(in), &got), in)
		assert.Equal(t, want, got, in)
	}
	for _, in := range []string{`true`, `{}`, `[]`} {
		var got stringOrNumber
		assert.Error(t, json.Unmarshal([]byte(in), &got), in)
	}
	var bad stringOrNumber
	require.NoError(t, bad.UnmarshalJSON([]byte("\"a\xffb\"")))
	assert.Equal(t, stringOrNumber("a\uFFFDb"), bad, "invalid UTF-8 is replaced, as in encoding/json")
}

// The first and last character of each range count; their neighbors do not.
func TestPasswordBounds(t *testing.T) {
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
	assert.Equal(t, "boer f.a.", (&Relation{LastName: "Bóer", Initials: "F.A."}).NameKey())
	assert.Empty(t, (&Relation{LastName: "Boer"}).CompanyKey())
	assert.Equal(t, "molen b.v.", (&Relation{Company: &Company{Name: "Mölen  B.V."}}).CompanyKey())
	assert.Equal(t, "\u0080x", Fold("\u0080X"), "the first non-ASCII character")
	assert.Equal(t, []string{"e", "emile", "zoe"}, []string{Fold("É"), Fold("Émile"), Fold("ZOË")})
	assert.Equal(t, []string{"de la"}, ParseQuery("de la").Names, "the whole text if it has only prefixes")
	assert.Equal(t, []string{"f."}, ParseQuery("F.").Names)
}

// An email is in English if that is the recipient's language, and otherwise in Dutch.
func TestMails(t *testing.T) {
	for locale, want := range map[string][2]string{
		"en": {"Is this your new email address?", "Your email address is about to change"},
		"nl": {"Is dit je nieuwe e-mailadres?", "Je e-mailadres wordt gewijzigd"},
		"de": {"Is dit je nieuwe e-mailadres?", "Je e-mailadres wordt gewijzigd"},
	} {
		verify, requested := mailVerify(locale, "a@b.example", "tok"), mailChangeRequested(locale, "a@b.example")
		assert.Equal(t, want, [2]string{verify.Title, requested.Title}, locale)
		assert.Equal(t, "/verify/tok", verify.Button.Path)
		assert.Equal(t, locale, requested.Locale)
	}
}
