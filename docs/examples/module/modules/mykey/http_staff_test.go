// {staff}

package mykey_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.org/mykey/modules/mykey"
	"github.com/wattle-portal/wattle/core/portaltest"
	"github.com/wattle-portal/wattle/modules/account"
)

func TestStaff(t *testing.T) {
	onPortal(t, "", func(t *testing.T, p *portaltest.Portal) {
		require.Empty(t, p.Import("alpha", "relation", map[string]any{"debtor_number": "1001", "relation_since": "2020-05-01", "salutation": "MRS",
			"initials": "A.", "prefix": "", "last_name": "Klant", "email": "anna@voorbeeld.example", "phone_number": "0612345678",
			"addresses": []any{}}))
		anna := p.Customer("alpha", account.RelationID("alpha", "1001"))
		require.Equal(t, http.StatusNoContent, addNote(anna, "a", "Call me"))
		var seen struct{ Items []mykey.StaffNote }
		p.Staff("alpha").Get("/staff/mykey", &seen)
		require.Len(t, seen.Items, 1)
		assert.Equal(t, "A. Klant", seen.Items[0].Customer)
		assert.Equal(t, "Call me", seen.Items[0].Text)
		assert.Equal(t, http.StatusForbidden, anna.Do("GET", "/staff/mykey", nil).Status)
	})
}

// {/staff}
