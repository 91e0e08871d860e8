// {job}

package mykey_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/portaltest"
)

func TestNight(t *testing.T) {
	onPortal(t, "", func(t *testing.T, p *portaltest.Portal) {
		require.Equal(t, http.StatusNoContent, addNote(p.Customer("alpha", "r1"), "a", "Call me"))
		p.RunSchedules() // from now on the schedule runs
		p.Advance(366 * 24 * time.Hour)
		anna := p.Customer("alpha", "r1") // the session has ended
		p.Eventually(func() bool { return len(textsOf(anna)) == 0 })
	})
}

// {/job}
