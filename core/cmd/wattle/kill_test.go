package main_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/app/apptest"
	"github.com/wattle-portal/wattle/core/internal/mail"
	"github.com/wattle-portal/wattle/modules"
)

// program is the real program, on the data and labels of a portal that a test has filled and stopped.
type program struct {
	t    *testing.T
	cmd  *exec.Cmd
	addr string
}

func run(t *testing.T, args ...string) *program {
	t.Helper()
	p := &program{t: t, cmd: exec.Command(os.Args[0], append([]string{"serve", "--addr", "127.0.0.1:0"}, args...)...)}
	p.cmd.Env = append(os.Environ(), "WATTLE_TEST_AS_PROGRAM=1")
	out, err := p.cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, p.cmd.Start())
	t.Cleanup(p.kill)
	line, err := bufio.NewReader(out).ReadBytes('\n')
	require.NoError(t, err)
	var said struct{ Addr string }
	require.NoError(t, json.Unmarshal(line, &said))
	p.addr = said.Addr
	return p
}

// kill ends the program as a power cut does: it cannot tidy anything up.
func (p *program) kill() {
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
}

// call is a request that may be cut off: then the status is 0.
func (p *program) call(method, path, bearer string, in, out any) (status int) {
	body, err := json.Marshal(in)
	require.NoError(p.t, err)
	r, err := http.NewRequest(method, "http://"+p.addr+"/api/v0"+path, bytes.NewReader(body))
	require.NoError(p.t, err)
	r.Host = "alpha.localhost"
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+bearer)
	res, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(r)
	if err != nil {
		return 0
	}
	defer func() { _ = res.Body.Close() }()
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		return 0
	}
	if out != nil {
		require.Equal(p.t, http.StatusOK, res.StatusCode, string(answer))
		require.NoError(p.t, json.Unmarshal(answer, out))
	}
	return res.StatusCode
}

func (p *program) signIn(username string) string {
	var out struct {
		Token string `json:"id_token"`
	}
	p.call(http.MethodPost, "/auth/sign-in", "", map[string]string{"username": username, "password": apptest.Password}, &out)
	return out.Token
}

// TestKillDuringAChange kills the program at one moment after another while a customer asks for another e-mail address. Afterwards
// the wish is there with all that goes with it (its place in the queue of staff, the mail to the new address) or not at all,
// and it is there when the customer was told so.
func TestKillDuringAChange(t *testing.T) {
	if testing.Short() {
		t.Skip("starts the program a dozen times")
	}
	s := apptest.Start(t, apptest.Options{Modules: modules.All, Labels: []apptest.Label{{Key: "alpha"}}})
	made := &customers{Server: s, t: t}
	const rounds = 10
	var all []customer
	for range rounds {
		all = append(all, made.new())
	}
	s.Staff("alpha")
	require.NoError(t, s.Stop(t.Context()))
	place := []string{"--labels", s.Config.Labels, "--data", s.Config.Data, "--log-level", "error"}

	mails := func(to string) (n int) {
		files, err := filepath.Glob(filepath.Join(s.Config.Data, "mailbox", "*.json"))
		require.NoError(t, err)
		seen := map[string]bool{} // at least once: the same one may come twice
		for _, f := range files {
			raw, err := os.ReadFile(f)
			require.NoError(t, err)
			var m mail.Message
			require.NoError(t, json.Unmarshal(raw, &m))
			if m.Mail.To == to {
				seen[m.Subject] = true
			}
		}
		return len(seen)
	}
	done, lost := 0, 0
	for i, c := range all {
		address := fmt.Sprintf("nieuw%d@voorbeeld.example", i)
		p := run(t, place...)
		token := p.signIn(c.username)
		told := make(chan int, 1)
		go func() {
			told <- p.call(http.MethodPut, "/relations/email", token, map[string]string{"change_email": address}, nil)
		}()
		time.Sleep(time.Duration(i) * 1500 * time.Microsecond)
		p.kill()
		status := <-told

		p = run(t, place...)
		var wish struct {
			Email string `json:"change_email"`
		}
		p.call(http.MethodGet, "/relations/email?request=status", p.signIn(c.username), nil, &wish)
		queued := func() bool {
			var list struct {
				Items []struct{ Relation string } `json:"items"`
			}
			p.call(http.MethodGet, "/staff/changes?state=PENDING&kind=account.email", p.signIn("medewerker@alpha.example"), nil, &list)
			for _, change := range list.Items {
				if change.Relation == c.relation {
					return true
				}
			}
			return false
		}
		if wish.Email == "" {
			lost++
			require.NotEqual(t, http.StatusOK, status, "the customer was told that it is there")
			require.False(t, queued())
			require.Zero(t, mails(address))
		} else {
			done++
			require.Equal(t, address, wish.Email)
			require.Eventually(t, func() bool { return mails(address) == 1 && queued() }, 20*time.Second, 50*time.Millisecond,
				"the wish is there, but not its mail or not its place in the queue of staff")
		}
		p.kill()
	}
	t.Logf("%d of %d wishes outlived the kill, %d never were", done, rounds, lost)
	require.Positive(t, done, "killed too early every time")
}
