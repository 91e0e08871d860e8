package whole_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/operate/app/apptest"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/modules"
)

const patience = 10 * time.Second // for background work on a busy machine

// Every table of core and of every module can be distributed by label_key.
func TestEveryTableContainsTheLabel(t *testing.T) {
	t.Parallel()
	apptest.Each(t, apptest.Options{Modules: modules.All}, func(t *testing.T, s *apptest.Server) { storetest.RequireLabelKeys(t, s.Store) })
}

// The metrics in docs/operations.md exist.
func TestMetrics(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Config: config.Config{Demo: true}})
	require.NoError(t, s.Jobs.RunDue(t.Context()))
	require.Eventually(t, func() bool { // the first periodic job starts automatically
		body := string(s.Do(apptest.Call{Path: "//metrics"}).Body)
		for _, name := range []string{"wattle_requests_total{", `wattle_deliveries{state="waiting"} 0`, `wattle_deliveries{state="dead"} 0`,
			"wattle_delivery_overdue_seconds 0", "wattle_label_problems 0", "wattle_jobs_total{"} {
			if !strings.Contains(body, name) {
				return false
			}
		}
		return true
	}, patience, patience/100)
}

// In a demo, a link in an email contains the port of the portal; otherwise it contains the label's own URL.
func TestLinksOfTheDemoContainItsPort(t *testing.T) {
	t.Parallel()
	for _, demo := range []bool{true, false} {
		s := apptest.Start(t, apptest.Options{Modules: modules.All, Config: config.Config{Demo: demo}})
		_, port, _ := strings.Cut(s.Addr().String(), ":")
		want := "http://alpha.localhost:" + port
		if !demo {
			want = "http://alpha.localhost:8080"
		}
		require.Equal(t, want, s.Labels.ByKey("alpha").URL)
		require.NoError(t, s.Labels.Reload())
		require.Equal(t, want, s.Labels.ByKey("alpha").URL, "after a change")
		require.NoError(t, s.Mail.Send(t.Context(), "alpha", "7f3a", module.Mail{To: "a@example.org", Locale: "nl", Subject: "Hoi",
			Button: &module.Button{Text: "Ga", Path: "/verify/x"}}))
		mails, err := s.Mail.List(t.Context())
		require.NoError(t, err)
		mail, err := os.ReadFile(filepath.Join(s.Config.Data, "mailbox", mails[0].ID+".json"))
		require.NoError(t, err)
		require.Contains(t, string(mail), want+"/verify/x")
	}
}

// The demo's support tool starts an impersonation; it exists only in the demo.
func TestDemoImpersonation(t *testing.T) {
	t.Parallel()
	tool := apptest.Call{Path: "//dev/impersonate?username=r1@klant.example"}
	for _, demo := range []bool{true, false} {
		t.Run(strconv.FormatBool(demo), func(t *testing.T) {
			s := apptest.Start(t, apptest.Options{Modules: modules.All, Config: config.Config{Demo: demo}})
			s.Customer("alpha", "r1")
			s.Staff("alpha")
			a := s.Do(tool)
			if !demo {
				require.Equal(t, 404, a.Status)
				return
			}
			require.Equal(t, 303, a.Status, string(a.Body))
			_, code, _ := strings.Cut(a.Header.Get("Location"), "/#impersonate=")
			a = s.Do(apptest.Call{Method: http.MethodPost, Path: "/auth/impersonate", Body: map[string]string{"code": code}})
			require.Equal(t, 200, a.Status, string(a.Body))
			require.Contains(t, string(a.Body), `"impersonator":{`)
			elsewhere := tool
			elsewhere.Host = "localhost"
			require.Equal(t, 404, s.Do(elsewhere).Status, "a host without a label")
			elsewhere.Host = "beta.localhost"
			require.Equal(t, 404, s.Do(elsewhere).Status, "a customer of another label")
		})
	}
}
