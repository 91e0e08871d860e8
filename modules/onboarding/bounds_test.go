package onboarding

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
)

func TestDigitsOfANumber(t *testing.T) {
	for in, want := range map[string]text{`0`: "0", `9`: "9", `12`: "12", `-1`: "-1", `"12 a"`: "12 a"} {
		var got text
		require.NoError(t, json.Unmarshal([]byte(in), &got), in)
		assert.Equal(t, want, got)
	}
	var got text
	assert.Error(t, json.Unmarshal([]byte(`true`), &got))
	for _, name := range []string{"0Anna", "9Anna", "Anna0", "Anna9"} {
		assert.Equal(t, []string{codeName}, CheckName(name), name)
	}
	assert.Empty(t, CheckName("Anna0Bo"), "inside a name")
}

// A value of exactly the maximum length is valid.
func TestLengths(t *testing.T) {
	today := value.Day{Year: 2026, Month: time.November, Day: 20}
	codes := func(r Registration) string {
		out := []string{}
		for _, w := range r.Check(today, false) {
			if w.Code == problem.CodeTooLong {
				out = append(out, w.Field)
			}
		}
		return strings.Join(out, " ")
	}
	assert.Empty(t, codes(Registration{Initials: strings.Repeat("A", maxShort), HouseNumber: text(strings.Repeat("1", maxShort))}))
	assert.Contains(t, codes(Registration{Initials: strings.Repeat("A", maxShort+1)}), "initials")
	assert.Contains(t, codes(Registration{HouseNumber: text(strings.Repeat("1", maxShort+1))}), "house_number")
}

// A solution with exactly the required number of bits is valid; with one bit less it is not.
func TestProofBounds(t *testing.T) {
	now := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	c := NewChallenge("secret", "one", "id", now.Add(time.Hour))
	exactly := func(bits int) string {
		for n := 0; ; n++ {
			if s := fmt.Sprint(n); LeadingZeros(c, s) == bits {
				return s
			}
		}
	}
	_, ok := CheckProof("secret", "one", c, exactly(proofBits), now)
	assert.True(t, ok)
	_, ok = CheckProof("secret", "one", c, exactly(proofBits-1), now)
	assert.False(t, ok)
	for bits := range 6 {
		first := 0
		for LeadingZeros(c, fmt.Sprint(first)) < bits {
			first++
		}
		assert.Equal(t, fmt.Sprint(first), Solve(c, bits), "the first solution with enough bits")
	}
	before, after, found := cutLast(".x")
	assert.Equal(t, []any{"", "x", true}, []any{before, after, found})
}

func TestSalutation(t *testing.T) {
	assert.Equal(t, []string{"MRS", "MR", "MR", ""}, []string{Application{Gender: "FEMALE"}.Salutation(),
		Application{Gender: "MALE"}.Salutation(), Application{}.Salutation(), Application{Gender: GenderOther}.Salutation()})
}

// Each email is in English or Dutch, according to the reader's locale. A rejection contains its reason if there is one.
func TestMails(t *testing.T) {
	titles := func(locale string) (out []string) {
		for _, m := range []module.Mail{mailVerify(locale, "a", "t"), mailReceived(locale, "a"), mailKnown(locale, "a"),
			mailRejected(locale, "a", ""), mailReactivate(locale, "a", "t")} {
			out = append(out, m.Title)
		}
		return out
	}
	en, nl := titles("en"), titles("nl")
	assert.Equal(t, nl, titles("de"))
	for i := range en {
		assert.NotEqual(t, en[i], nl[i])
	}
	assert.Equal(t, []string{"Is this your email address?", "Thank you, we have received your application", "You already have an account",
		"We cannot give you access", "Reactivate your account"}, en)
	assert.Equal(t, []string{"Is dit je e-mailadres?", "Bedankt, we hebben je aanvraag ontvangen", "Je hebt al een account",
		"We kunnen je geen toegang geven", "Activeer je account opnieuw"}, nl)
	for locale, words := range map[string]string{"en": "The reason: too young", "nl": "De reden: too young"} {
		assert.Contains(t, mailRejected(locale, "a", "too young").Lines, words)
		assert.Len(t, mailRejected(locale, "a", "").Lines, 1)
	}
}
