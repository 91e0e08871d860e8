package value

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The maximum lengths are those of RFC 5321. The modules that validate addresses run the test vectors of the rows.
func TestEmailLengths(t *testing.T) {
	t.Run("5.3-email-pattern,5.9-email-extra", func(t *testing.T) {
		local := strings.Repeat("a", maxEmailLocal)
		assert.True(t, IsEmail(local+"@b.nl"))
		assert.False(t, IsEmail(local+"a@b.nl"))
		domain := func(n int) string { // returns a domain whose labels have at most 63 characters
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
		assert.Equal(t, "a@b.nl", NormalizeEmail(" a\t@b.nl\u00a0"))
	})
}

// The rule in module account also accepts international numbers, so it does not show that numbers after +31 that are not Dutch are refused.
func TestDutchPhone(t *testing.T) {
	t.Run("5.4-phone-dutch", func(t *testing.T) {
		for _, prefix := range []string{"0", "+31"} {
			for rest, want := range map[string]bool{"112345678": true, "912345678": true, "012345678": false, "11234567": false,
				"1123456789": false, "11234567a": false, "": false} {
				assert.Equal(t, want, IsDutchPhone(prefix+rest), prefix+rest)
			}
		}
		for _, prefix := range []string{"", "00", "+", "31", "+32", "0031"} {
			assert.False(t, IsDutchPhone(prefix+"612345678"), prefix)
		}
	})
}

func TestNormalizeIBAN(t *testing.T) {
	t.Run("5.1-iban-normalise", func(t *testing.T) {
		assert.Equal(t, "NL91ABNA0417164309", NormalizeIBAN("iban nl91 abna-0417.1643 09"))
		assert.Equal(t, "09AZAZ", NormalizeIBAN("/09:@AZ[`az{"), "the characters next to digits and letters in ASCII are removed")
		assert.True(t, ValidIBAN("NL91ABNA0417164300"))
		for _, bad := range []string{"", "NL", "NL9", "NLXX", "NL91"} {
			assert.False(t, ValidIBAN(bad), bad)
		}
	})
}

func TestCentsBorders(t *testing.T) {
	for s, want := range map[string]string{"0": "0.00", "-0.01": "-0.01", "999999999999999": "999999999999999.00", "0.10": "0.10",
		"-12.5": "-12.50"} {
		c, err := ParseCents(s)
		require.NoError(t, err, s)
		assert.Equal(t, want, c.String())
	}
	_, err := ParseCents("1000000000000000")
	assert.ErrorIs(t, err, ErrAmount)
}

func TestNoDay(t *testing.T) {
	d := Day{2026, 1, 2}
	require.NoError(t, d.UnmarshalText(nil))
	assert.True(t, d.IsZero())
	require.NoError(t, d.UnmarshalText([]byte("2026-01-03")))
	assert.Equal(t, Day{2026, 1, 3}, d)
}
