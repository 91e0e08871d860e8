package usage_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/portaltest"
	"github.com/wattle-portal/wattle/modules"
	"github.com/wattle-portal/wattle/test/fixture"
)

// A retrieval continues after the program is killed and restarted, and its state can be read at any time.
func TestRetrievalSurvivesAKill(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: starts the program a few times")
	}
	s := portaltest.Start(t, portaltest.Options{Modules: modules.All, CUE: fixture.SandboxPayments,
		Labels: []portaltest.Label{{Key: "alpha"}}})
	made := &fixture.Customers{Portal: s, T: t}
	var all []household
	for range 4 {
		h := newHousehold(made, t)
		h.Get(t, consentPath+"?consentGiven=true")
		load(t, s, "interval_day", hoursOf(h.power, "2026-10-24", "low", 24, "1"))
		all = append(all, h)
	}
	s.Stop()
	type status struct {
		Retrieval struct {
			State    string
			Progress int
			Until    string
		}
	}
	for i, h := range all {
		p := fixture.Serve(t, s)
		token := p.SignIn(h.Username)
		require.Equal(t, http.StatusAccepted, p.Call(http.MethodPost, "/smartmeterreadings/retrievals", token,
			map[string]string{"agreement_identifier": h.agreement}, nil))
		<-time.After(time.Duration(i) * 10 * time.Millisecond) // kill the program at different moments
		var before, after status
		p.Call(http.MethodGet, consentPath+"/"+h.agreement, token, nil, &before)
		p.Kill()

		p = fixture.Serve(t, s)
		token = p.SignIn(h.Username)
		p.Call(http.MethodGet, consentPath+"/"+h.agreement, token, nil, &after)
		require.GreaterOrEqual(t, after.Retrieval.Progress, before.Retrieval.Progress)
		require.Contains(t, []string{"QUEUED", "RUNNING", "DONE"}, after.Retrieval.State)
		require.Eventually(t, func() bool {
			p.Call(http.MethodGet, consentPath+"/"+h.agreement, token, nil, &after)
			return after.Retrieval.State == "DONE"
		}, 20*time.Second, 20*time.Millisecond)
		require.Equal(t, 100, after.Retrieval.Progress)
		require.Equal(t, "2026-10-24", after.Retrieval.Until)
		t.Logf("killed at %d%%", before.Retrieval.Progress)
		p.Kill()
	}
}
