package onboarding

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
)

// vectors runs the cases of schemas/rules/<row>.json.
func vectors[G, W any](t *testing.T, row string, judge func(input G, today value.Day) W) {
	t.Helper()
	t.Run(row, func(t *testing.T) {
		moduletest.RunCases(t, "../../schemas/rules/"+row+".json", func(input G, today value.Day, _ struct{}) W { return judge(input, today) })
	})
}

// codes converts nil to an empty list, as in the vectors.
func codes(c []string) []string { return append([]string{}, c...) }

func fieldCodes(fieldErrors []problem.FieldError) []string {
	out := []string{}
	for _, e := range fieldErrors {
		out = append(out, e.Field+":"+e.Code)
	}
	return out
}

func TestRegistration(t *testing.T) {
	rule := func(row string, check func(string) []string) {
		vectors(t, row, func(s string, _ value.Day) []string { return codes(check(s)) })
	}
	name := func(s string) []string { return CheckName(NormalizeName(s)) }
	rule("5.9-names", name)
	rule("5.9-names-reconcile", name)
	rule("2.4-register-gender", func(s string) []string { return CheckGender(s, false) })
	rule("9-register-gender-other", func(s string) []string { return CheckGender(s, true) })
	phone := func(s string) []string { return CheckPhone(value.NormalizePhone(s)) }
	rule("5.9-phone", phone)
	rule("5.9-phone-rule", phone)
	email := func(s string) []string { return CheckEmail(value.NormalizeEmail(s)) }
	rule("5.9-email", email)
	rule("5.9-email-extra", email)
	rule("5.9-zip-length", func(s string) []string { return CheckZipCode(value.NormalizeZipCode(s)) })
	rule("5.9-zip-normalise-reconcile", func(s string) []string { return []string{value.NormalizeZipCode(s)} })
	rule("5.9-iban", func(s string) []string { return CheckIBAN(value.NormalizeIBAN(s)) })
	t.Run("5.1-iban-checksum-reconcile", func(t *testing.T) {
		assert.Empty(t, CheckIBAN("NL91ABNA0417164300"))
		// wrong check digits, and correct check digits with another country's format or an unknown country
		for _, invalid := range []string{"NL92ABNA0417164300", "NL5312340417164300", "XX62ABNA0417164300"} {
			assert.Equal(t, []string{codeIBAN}, CheckIBAN(invalid), invalid)
		}
	})
	birth := func(s string, today value.Day) []string { return codes(CheckBirthDate(s, today)) }
	vectors(t, "5.9-birth-range", birth)
	vectors(t, "5.9-age", birth)
	form := func(r Registration, today value.Day) []string { return fieldCodes(r.Normalize().Check(today, false)) }
	vectors(t, "5.9-required", form)
	vectors(t, "5.9-optional", form)
	rule("5.9-address-check-404", func(extension string) []string { return fieldCodes(UnknownAddress(extension)) })
	t.Run("an invalid form has an error at each field", func(t *testing.T) {
		long := strings.Repeat("a", 101)
		r := Registration{Initials: long, PreferredName: "2a", Prefix: long, LastName: "b c", Gender: "X", BirthDate: "x", PhoneNumber: "x",
			Email: "x", ZipCode: "x", HouseNumber: text(long), Extension: text(long), Street: long, City: long, IBAN: "NL00", AccountName: long}
		assert.Equal(t, []string{"initials:too_long", "preferred_name:" + codeName, "prefix:too_long", "last_name:" + codeName, "gender:" +
			codeGender,
			"birth_date:" + codeBirthDate, "phone_number:" + codePhone, "email:" + codeEmail, "zip_code:" + codeZipCode, "house_number:too_long",
			"house_number_extension:too_long", "street:too_long", "city:too_long", "bank_account_number:" + codeIBAN, "bank_account_name:too_long"},
			fieldCodes(r.Normalize().Check(value.Day{Year: 2026, Month: 11, Day: 20}, false)))
	})
	t.Run("normalizing is idempotent", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			r := Registration{Initials: rapid.String().Draw(t, "a"), PreferredName: rapid.String().Draw(t, "b"),
				PhoneNumber: rapid.String().Draw(t, "c"),
				ZipCode:     rapid.String().Draw(t, "d"), Extension: text(rapid.String().Draw(t, "e")), IBAN: rapid.String().Draw(t, "f")}.Normalize()
			if r != r.Normalize() {
				t.Fatalf("%+v", r)
			}
			_ = CheckName(r.PreferredName)
		})
	})
}

func TestReactivationForm(t *testing.T) {
	for body, want := range map[string][]string{
		`{}`:                             {"email:required"},
		`{"email":"x"}`:                  {"email:" + codeEmail},
		`{"email":" Anna@example.org "}`: {},
		`{"email":"anna@example.org","zip_code":"9861 gt"}`:                  {"house_number:required"},
		`{"email":"anna@example.org","house_number":12}`:                     {"zip_code:required"},
		`{"email":"anna@example.org","zip_code":"9861","house_number":"12"}`: {"zip_code:" + codeZipCode},
		`{"token":"x"}`: {"zip_code:required", "house_number:required"},
		`{"token":"x","zip_code":"9861GT","house_number":12}`:                                        {},
		`{"token":"x","zip_code":"9861GT","house_number":"` + strings.Repeat("1", maxShort) + `"}`:   {},
		`{"token":"x","zip_code":"9861GT","house_number":"` + strings.Repeat("1", maxShort+1) + `"}`: {"house_number:" + problem.CodeTooLong},
	} {
		var f reactivationForm
		require.NoError(t, json.Unmarshal([]byte(body), &f))
		assert.Equal(t, want, fieldCodes(f.Check()), body)
	}
	at := Address{ZipCode: "9861GT", HouseNumber: "12", Extension: "bis"}
	for _, same := range []Address{at, {ZipCode: "9861 gt", HouseNumber: "12", Extension: "BIS"}, {ZipCode: "9861GT", HouseNumber: "12 bis"},
		{ZipCode: "9861GT", HouseNumber: "12", Extension: "-bis"}} {
		assert.True(t, sameAddress(at, same), "%+v", same)
	}
	for _, other := range []Address{{}, {ZipCode: "9861GT", HouseNumber: "12"}, {ZipCode: "9861GV", HouseNumber: "12", Extension: "bis"}} {
		assert.False(t, sameAddress(at, other), "%+v", other)
	}
}

func TestProof(t *testing.T) {
	now := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	c := NewChallenge("secret", "one", "id", now.Add(time.Hour))
	solution := Solve(c, proofBits)
	id, ok := CheckProof("secret", "one", c, solution, now)
	assert.True(t, ok)
	assert.Equal(t, "id", id)
	refused := func(what, secret, label, c, solution string, now time.Time) {
		_, ok := CheckProof(secret, label, c, solution, now)
		assert.False(t, ok, what)
	}
	refused("another label's", "secret", "two", c, solution, now)
	refused("another key", "other", "one", c, solution, now)
	refused("over", "secret", "one", c, solution, now.Add(time.Hour))
	refused("not solved", "secret", "one", c, "", now)
	refused("empty", "secret", "one", "", "", now)
	forged := strings.Replace(c, ".", ".9", 1)
	refused("made to last", "secret", "one", forged, Solve(forged, proofBits), now)
	vectors(t, "onboarding-proof", func(g struct{ Challenge, Solution string }, _ value.Day) []int {
		return []int{LeadingZeros(g.Challenge, g.Solution)}
	})
}
