package account

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
)

// vectors runs the cases of schemas/rules/<row>.json.
func vectors[G, W any](t *testing.T, row string, check func(G) W) {
	t.Helper()
	t.Run(row, func(t *testing.T) {
		moduletest.RunCases(t, "../../schemas/rules/"+row+".json", func(input G, _ value.Day, _ struct{}) W { return check(input) })
	})
}

// codes returns an empty list for nil, to compare it with an empty list in a test case.
func codes(c []string) []string { return append([]string{}, c...) }

func TestPhone(t *testing.T) {
	vectors(t, "5.4-phone-normalise", func(s string) []string { return []string{value.NormalizePhone(s)} })
	vectors(t, "5.4-phone-dutch", func(s string) []string { return codes(CheckPhone(s)) })
	vectors(t, "5.4-phone-international", func(s string) []string { return codes(CheckPhone(s)) })
	read := func(s string) []string {
		if number, codes := ParsePhone(s); codes == nil {
			return []string{number}
		}
		return []string{codePhoneInvalid}
	}
	vectors(t, "5.4-phone-request-format", read)
	vectors(t, "5.4-phone-request-format-reconcile", func(s string) []string { return read(value.NormalizePhone(s)) })
}

func TestEmail(t *testing.T) {
	vectors(t, "5.3-email-normalise", func(s string) []string { return []string{value.NormalizeEmail(s)} })
	vectors(t, "5.3-email-pattern", func(s string) []string { return codes(CheckEmail(s)) })
}

func TestUsername(t *testing.T) {
	vectors(t, "5.5-username-min", func(s string) []string { return codes(CheckUsername(NormalizeUsername(s))) })
}

func TestPassword(t *testing.T) {
	check := func(s string) []string { return codes(CheckPassword(s)) }
	vectors(t, "5.5-password-rule", check)
	vectors(t, "5.5-password-length-reconcile", check)
}

func TestContact(t *testing.T) {
	type form struct {
		Subject Subject
		Message string
	}
	vectors(t, "2.1-contact-form-fields", func(f form) []string {
		codes := []string{}
		for _, e := range CheckContact(f.Subject, f.Message) {
			codes = append(codes, e.Field+":"+e.Code)
		}
		return codes
	})
}

func TestRelation(t *testing.T) {
	vectors(t, "3-address-camel-case", func(a Address) Address { return a })
	check := func(r Relation) []string {
		if field, code := r.check(); code != "" {
			return []string{field + ":" + code}
		}
		return []string{}
	}
	vectors(t, "3-relation-salutation", check)
	vectors(t, "3-time-of-use-enum", check)
	vectors(t, "3-address-type-enum", check)
	t.Run("no debtor number", func(t *testing.T) {
		assert.Equal(t, []string{"debtor_number:" + problem.CodeRequired}, check(Relation{}))
	})
	t.Run("name", func(t *testing.T) {
		assert.Equal(t, "A. van der Berg", (&Relation{Initials: "A.", Prefix: "van der", LastName: "Berg"}).Name())
		assert.Equal(t, "J. Smit", (&Relation{Initials: "J.", LastName: "Smit"}).Name())
		assert.Equal(t, "Molen B.V.", (&Relation{LastName: "Smit", Company: &Company{Name: "Molen B.V."}}).Name())
	})
}
