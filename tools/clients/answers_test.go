package clients

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// reader is a client program: it reads the responses of a portal with the generated code, and prints what it reads.
const reader = `package main

import (
	"context"
	"encoding/json"
	"net/http"
	"os"

	"github.com/wattle-portal/wattle/tools/clients/DIR/marketplace"
	"github.com/wattle-portal/wattle/tools/clients/DIR/production"
)

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	url, host, token := os.Args[1], os.Args[2], os.Args[3]
	as := func(_ context.Context, r *http.Request) error {
		r.Host = host
		r.Header.Set("Authorization", "Bearer "+token)
		return nil
	}
	ctx, out := context.Background(), map[string]any{}
	m, err := marketplace.NewClientWithResponses(url, marketplace.WithRequestEditorFn(as))
	must(err)
	projects, err := m.ListProjectsWithResponse(ctx, nil)
	must(err)
	p, err := production.NewClientWithResponses(url, production.WithRequestEditorFn(as))
	must(err)
	points, err := p.ListProductionWithResponse(ctx, "W-GRUTTO", nil)
	must(err)
	live, err := p.LivedataWithResponse(ctx, nil)
	must(err)
	for _, x := range *projects.JSON200 {
		if x.ProjectCode == "W-GRUTTO" {
			out["power"], out["total"] = x.CurrentPower, x.Production.TotalProduction
		}
	}
	out["projects"], out["points"], out["live"] = len(*projects.JSON200), len(*points.JSON200), (*live.JSON200)["W-GRUTTO"]
	must(json.NewEncoder(os.Stdout).Encode(out))
}
`

// TestAnswers calls a running demo with generated clients.
func TestAnswers(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: compiles clients")
	}
	t.Run("9-production-clients", func(t *testing.T) {
		root, err := filepath.Abs("../..")
		if err != nil {
			t.Fatal(err)
		}
		dir := generate(t, "marketplace", "production")
		if err := os.MkdirAll(filepath.Join(dir, "reader"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "reader", "main.go"), []byte(strings.ReplaceAll(reader, "DIR", filepath.Base(dir))),
			0o644); err != nil {
			t.Fatal(err)
		}
		binary := filepath.Join(t.TempDir(), "wattle")
		build := exec.Command("go", "build", "-o", binary, "./core/cmd/wattle")
		build.Dir = root
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		url := serve(t, root, binary)
		out, err := exec.Command("go", "run", "./"+dir+"/reader", url, "1024.localhost", signIn(t, root, binary, url)).CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		var read struct {
			Projects, Points int
			Power, Total     *float64
			Live             struct {
				Power     *float64
				Timestamp *int64
			}
		}
		if err := json.Unmarshal(out, &read); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if read.Projects < 1 || read.Points != 24 || read.Power == nil || read.Total == nil || *read.Total < 1_000_000 ||
			read.Live.Power == nil || read.Live.Timestamp == nil {
			t.Fatalf("%s", out)
		}
	})
}

// serve runs the demo until the end of the test.
func serve(t *testing.T, root, binary string) (url string) {
	t.Helper()
	portal := exec.Command(binary, "serve", "--demo", "--clock", "2026-11-20T10:00:00Z", "--labels", "labels", "--data", t.TempDir(), "--addr",
		"127.0.0.1:0")
	portal.Dir = root
	said, in := io.Pipe()
	portal.Stdout, portal.Stderr = in, in
	if err := portal.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = portal.Process.Signal(os.Interrupt)
		_ = portal.Wait()
	})
	found := make(chan string, 1)
	go func() {
		var all bytes.Buffer
		addr, buffer := regexp.MustCompile(`"addr":\s*"[^"]*?:(\d+)"`), make([]byte, 4096)
		for {
			n, err := said.Read(buffer)
			all.Write(buffer[:n])
			if m := addr.FindSubmatch(all.Bytes()); m != nil {
				found <- string(m[1])
				_, _ = io.Copy(io.Discard, said)
				return
			}
			if err != nil {
				return
			}
		}
	}()
	select {
	case port := <-found:
		return "http://127.0.0.1:" + port + "/api/v0"
	case <-time.After(time.Minute):
		t.Fatal("the demo does not start")
		return ""
	}
}

// signIn returns the token of a member of the demo who has shares of W-GRUTTO.
func signIn(t *testing.T, root, binary, url string) string {
	t.Helper()
	list := exec.Command(binary, "demo", "accounts", "--json", "--labels", "labels")
	list.Dir = root
	text, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	var accounts []struct{ Label, Username, Password, Role string }
	if err := json.Unmarshal(text, &accounts); err != nil {
		t.Fatal(err)
	}
	for _, a := range accounts {
		if a.Label != "1024" || a.Role != "member" && a.Role != "customer" {
			continue
		}
		body, _ := json.Marshal(map[string]string{"username": a.Username, "password": a.Password}) // encoding strings never fails
		r, err := http.NewRequestWithContext(context.Background(), http.MethodPost, url+"/auth/sign-in", bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Host = "1024.localhost"
		r.Header.Set("Content-Type", "application/json")
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		var out struct {
			Token string `json:"id_token"`
		}
		err = json.NewDecoder(res.Body).Decode(&out)
		_ = res.Body.Close()
		if err == nil && out.Token != "" {
			return out.Token
		}
	}
	t.Fatal("nobody can sign in")
	return ""
}
