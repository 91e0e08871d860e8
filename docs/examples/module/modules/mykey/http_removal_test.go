// {change}

package mykey_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.org/mykey/modules/mykey"
	"github.com/wattle-portal/wattle/core/portaltest"
)

func TestRemoval(t *testing.T) {
	onPortal(t, "", func(t *testing.T, p *portaltest.Portal) {
		anna, bas, staff := p.Customer("alpha", "r1"), p.Customer("alpha", "r2"), p.Staff("alpha")
		require.Equal(t, http.StatusNoContent, addNote(anna, "a", "Call me"))
		require.Equal(t, http.StatusNoContent, addNote(bas, "a", "Mine"))
		require.Equal(t, http.StatusOK, anna.Do("POST", "/mykey/removal", nil).Status)
		require.Equal(t, http.StatusConflict, anna.Do("POST", "/mykey/removal", nil).Status)
		var removal mykey.Removal
		anna.Get("/mykey/removal", &removal)
		assert.True(t, removal.Pending)

		var list struct{ Items []struct{ ID string } }
		p.Eventually(func() bool {
			staff.Get("/staff/changes?kind=mykey.removal", &list)
			return len(list.Items) == 1
		})
		decided := staff.Do("POST", "/staff/changes/"+list.Items[0].ID+"/decision", map[string]string{"state": "PROCESSED"})
		require.Equal(t, http.StatusOK, decided.Status, string(decided.Body))
		assert.Empty(t, textsOf(anna))
		assert.Equal(t, []string{"Mine"}, textsOf(bas))
		anna.Get("/mykey/removal", &removal)
		assert.False(t, removal.Pending)
	})
}

// {/change}
