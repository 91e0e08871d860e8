package module

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Addresses are as long as RFC 5321 lets them be and no longer; the vectors of the rows are run by the modules that ask.
func TestEmailLengths(t *testing.T) {
	t.Run("5.3-email-pattern,5.9-email-extra", func(t *testing.T) {
		local := strings.Repeat("a", maxEmailLocal)
		assert.True(t, IsEmail(local+"@b.nl"))
		assert.False(t, IsEmail(local+"a@b.nl"))
		domain := func(n int) string { // of labels of at most 63
			out := ""
			for n > 64 {
				out, n = out+strings.Repeat("b", 61)+".", n-62
			}
			return out + strings.Repeat("c", n-3) + ".nl"
		}
		rest := maxEmail - len("a@")
		require.Len(t, "a@"+domain(rest), maxEmail)
		assert.True(t, IsEmail("a@"+domain(rest)))
		assert.False(t, IsEmail("a@"+domain(rest+1)))
		assert.False(t, IsEmail("a.b.nl"), "without an @")
		assert.Equal(t, "a@b.nl", NormaliseEmail(" a\t@b.nl\u00a0"))
	})
}

func TestNormaliseIBAN(t *testing.T) {
	t.Run("5.1-iban-normalise", func(t *testing.T) {
		assert.Equal(t, "NL91ABNA0417164309", NormaliseIBAN("iban nl91 abna-0417.1643 09"))
		assert.Equal(t, "09AZAZ", NormaliseIBAN("/09:@AZ[`az{"), "the characters beside digits and letters are none")
		assert.True(t, ValidIBAN("NL91ABNA0417164300"))
		for _, bad := range []string{"", "NL", "NL9", "NLXX", "NL91"} {
			assert.False(t, ValidIBAN(bad), bad)
		}
	})
}

func TestCentsBorders(t *testing.T) {
	for s, want := range map[string]string{"0": "0.00", "-0.01": "-0.01", "999999999999999": "999999999999999.00", "0.10": "0.10", "-12.5": "-12.50"} {
		c, err := ParseCents(s)
		require.NoError(t, err, s)
		assert.Equal(t, want, c.String())
	}
	_, err := ParseCents("1000000000000000")
	assert.ErrorIs(t, err, ErrAmount)
}

func TestLoose(t *testing.T) {
	for in, want := range map[string]Loose{`null`: "", `"a b "`: "a b ", `12`: "12", `true`: "true"} {
		var got Loose
		require.NoError(t, json.Unmarshal([]byte(in), &got), in)
		assert.Equal(t, want, got)
	}
	for _, in := range []string{`{}`, `[]`} {
		var got Loose
		assert.Error(t, json.Unmarshal([]byte(in), &got), in)
	}
	var got Loose
	require.NoError(t, got.UnmarshalJSON(nil))
	assert.Equal(t, "a b", Loose(" a b\n").Text())
}

// A record is read field by field; all that is wrong with it is said, with its line and its place.
func TestReading(t *testing.T) {
	r, ok := ReadRecord(Row{Line: 7, Data: []byte(`{}`)}, &struct{}{})
	require.True(t, ok)
	assert.Equal(t, Day{2026, 1, 2}, r.Day("from", "2026-01-02"))
	assert.Equal(t, Day{}, r.MaybeDay("until", " "))
	assert.Equal(t, "x", r.Filled("name", " x "))
	assert.Empty(t, r.Wrong())
	below := r.In("items", 2).At("of")
	below.Filled("name", " ")
	below.Day("from", "")
	below.MaybeDay("until", "2026-02-30")
	below.MaybeDay("until", "0000-00-00")
	below.Day("on", "soon")
	assert.Equal(t, []Refusal{{Line: 7, Field: "items.2.of.name", Code: CodeRequired}, {Line: 7, Field: "items.2.of.from", Code: CodeRequired},
		{Line: 7, Field: "items.2.of.until", Code: CodeInvalid}, {Line: 7, Field: "items.2.of.until", Code: CodeInvalid}, {Line: 7, Field: "items.2.of.on", Code: CodeInvalid}}, r.Wrong())
	for data, want := range map[string]Refusal{`[`: {Line: 7, Code: CodeMalformed}, `{"name":5}`: {Line: 7, Field: "name", Code: CodeInvalid}} {
		r, ok := ReadRecord(Row{Line: 7, Data: []byte(data)}, &struct{ Name string }{})
		assert.False(t, ok)
		require.Len(t, r.Wrong(), 1)
		assert.Equal(t, want.Code, r.Wrong()[0].Code)
		assert.True(t, strings.EqualFold(want.Field, r.Wrong()[0].Field))
	}
}

func TestNoDay(t *testing.T) {
	d := Day{2026, 1, 2}
	require.NoError(t, d.UnmarshalText(nil))
	assert.True(t, d.IsZero())
	require.NoError(t, d.UnmarshalText([]byte("2026-01-03")))
	assert.Equal(t, Day{2026, 1, 3}, d)
}

// The name of a download is short, plain where it must be, and written byte by byte where it is not.
func TestNameBorders(t *testing.T) {
	assert.Equal(t, "azAZ09!#$&+-.^_`|~", extValue("azAZ09!#$&+-.^_`|~"))
	assert.Equal(t, "%2F%3A%40%5B%7B%C3%A9", extValue("/:@[{é"))
	assert.Equal(t, "a\x7fb_e", plain("a\x7fb€é"), "the last character of ASCII is one")
}
