// Command outside copies module production, both its Go half and its React half, into a repository of another team: a separate folder with
// its own go.mod and package.json, unchanged except for import paths. There it compiles, analyzes, tests and builds the module as that
// team would, and runs it as a plugin with its remote in bin/wattle. It does the same with a newly written module, including its browser
// test, and with docs/examples/outages, which is also upgraded, crashed and removed while a portal runs. It exits with status 1 at the
// first failure.
package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

func main() {
	log.SetFlags(0)
	keep := flag.String("keep", "", "a folder for the repository, which stays; without it a temporary one that goes")
	flag.Parse()
	root, err := filepath.Abs(".")
	if err != nil {
		log.Fatal(err)
	}
	dir := *keep
	if dir == "" {
		if dir, err = os.MkdirTemp("", "wattle-outside-"); err != nil {
			log.Fatal(err)
		}
	}
	if dir, err = filepath.Abs(dir); err != nil {
		log.Fatal(err)
	}
	err = all(root, dir)
	if *keep == "" {
		_ = os.RemoveAll(dir)
	}
	if err != nil {
		log.Fatal(err)
	}
}

func all(root, dir string) error {
	tarballs, err := filepath.Glob(filepath.Join(root, "bin/packages/*.tgz"))
	if err != nil || len(tarballs) != 3 {
		return fmt.Errorf("three tarballs in bin/packages: run make pack (%w)", err)
	}
	remote, fresh, outages := filepath.Join(dir, "remotes", key), filepath.Join(dir, "new", "outages"),
		filepath.Join(dir, "example", "outages")
	if err := os.Setenv("WATTLE", filepath.Join(root, "bin/wattle")); err != nil {
		return err
	}
	for _, browser := range []string{"/usr/bin/chromium", "/usr/bin/chromium-headless-shell"} {
		if _, err := os.Stat(browser); err == nil {
			if err := os.Setenv("CHROMIUM", cmp.Or(os.Getenv("CHROMIUM"), browser)); err != nil {
				return err
			}
		}
	}
	steps := []struct {
		what string
		do   func() error
	}{
		{"copied, import paths rewritten", func() error { return copyModule(root, dir) }},
		{"go.mod and go.sum", func() error {
			if err := goModule(root, dir); err != nil {
				return err
			}
			return run(dir, "go", "mod", "tidy")
		}},
		{"its documents are written, and those of here", func() error { return documents(root, dir) }},
		{"go vet", func() error { return run(dir, "go", "vet", "./...") }},
		{"the analyzer", func() error {
			return run(dir, "go", "tool", "check", "-labels", filepath.Join(root, "labels"), "./...")
		}},
		{"go test -short", func() error { return run(dir, "go", "test", "-vet=off", "-short", "./...") }},
		{"go test", func() error { return run(dir, "go", "test", "-vet=off", "./...") }},
		{"the plugin", func() error { return plugin(root, dir) }},
		{"npm install", func() error {
			if err := npmPackage(root, dir, tarballs); err != nil {
				return err
			}
			return run(remote, "npm", "install", "--no-audit", "--no-fund", "--loglevel=error")
		}},
		{"npm run build", func() error { return run(remote, "npm", "--silent", "run", "build") }},
		{"npm run typecheck", func() error { return run(remote, "npm", "--silent", "run", "typecheck") }},
		{"vitest", func() error { return run(remote, "npm", "--silent", "exec", "--", "vitest", "run") }},
		{"served by bin/wattle", func() error { return runPortal(root, dir) }},
		{"a new module", func() error {
			if err := os.RemoveAll(fresh); err != nil { // left by a run with the same -keep
				return err
			}
			return run(root, filepath.Join(root, "bin/wattle"), "modules", "new", "outages", "--dir", fresh, "--with", "all")
		}},
		{"make test, untouched", func() error { return run(fresh, "make", "test") }},
		{"make e2e, untouched", func() error { return run(fresh, "make", "e2e") }},
		{"docs/examples/outages", func() error { return copyExample(root, outages) }},
		{"its make test", func() error { return run(outages, "make", "test") }},
		{"two versions of it", func() error { return twoVersions(outages) }},
		{"its make e2e, with the life of the plugin", func() error { return run(outages, "make", "e2e") }},
	}
	for _, s := range steps {
		began := time.Now()
		if err := s.do(); err != nil {
			return fmt.Errorf("%s: %w", s.what, err)
		}
		fmt.Printf("%-46s %5.1fs\n", s.what, time.Since(began).Seconds())
	}
	return nil
}

// run runs a command of the other team; its output is printed when it fails.
func run(dir string, name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, out)
	}
	return nil
}

// documents makes the module's tests write its documents, which must be the same as in this repository.
func documents(root, dir string) error {
	if err := run(dir, "go", "test", "-vet=off", "-run", "^(TestOpenAPI|TestAsyncAPI)$", "./modules/"+key, "-update"); err != nil {
		return err
	}
	for _, kind := range []string{"openapi", "asyncapi"} {
		name := filepath.Join("schemas", kind, key+".json")
		here, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			return err
		}
		if there, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !bytes.Equal(here, there) {
			return fmt.Errorf("%s is another one there (%w)", name, err)
		}
	}
	return nil
}

// plugin builds the plugin and writes it to a plugins folder.
func plugin(root, dir string) error {
	home := filepath.Join(dir, "plugins", key)
	if err := run(dir, "go", "build", "-o", filepath.Join(home, key), "./modules/"+key+"/plugin"); err != nil {
		return err
	}
	return run(dir, filepath.Join(root, "bin/wattle"), "plugins", "seal", home, "--binary", key)
}

const labelKey = "1060" // a demo label that has the module

// runPortal runs the portal with the plugin and the remote, and calls both.
func runPortal(root, dir string) (err error) {
	deployed := filepath.Join(dir, "deployed")
	// left by a run with the same -keep
	for _, before := range []string{deployed, filepath.Join(dir, "labels"), filepath.Join(dir, "data")} {
		if err := os.RemoveAll(before); err != nil {
			return err
		}
	}
	if err := os.CopyFS(filepath.Join(deployed, key), os.DirFS(filepath.Join(dir, "remotes", key, "dist"))); err != nil {
		return err
	}
	if err := os.CopyFS(filepath.Join(dir, "labels", labelKey), os.DirFS(filepath.Join(root, "labels", labelKey))); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(root, "bin/wattle"), "serve", "--demo", "--unsafe", "--addr", "127.0.0.1:0",
		"--labels", filepath.Join(dir, "labels"), "--data", filepath.Join(dir, "data"), "--plugins", filepath.Join(dir, "plugins"), "--remotes",
		deployed)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		return err
	}
	defer func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_, _ = io.Copy(io.Discard, out)
		_ = cmd.Wait()
		if err != nil {
			err = fmt.Errorf("%w\n%s", err, said.Bytes())
		}
	}()
	line, err := bufio.NewReader(out).ReadBytes('\n')
	if err != nil {
		return err
	}
	var at struct{ Addr string }
	if err := json.Unmarshal(line, &at); err != nil {
		return err
	}
	p := portal{ctx: ctx, addr: at.Addr}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	if err := p.hasPlugin(); err != nil {
		return err
	}
	if err := p.answersCustomer(); err != nil {
		return err
	}
	return p.hasRemote(filepath.Join(deployed, key))
}

// portal is a running portal, which is called as a browser would.
type portal struct {
	ctx    context.Context
	addr   string
	bearer string
}

func (p portal) call(method, path string, in, out any) error {
	body, err := json.Marshal(in)
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(p.ctx, method, "http://"+p.addr+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Host = labelKey + ".localhost"
	r.Header.Set("Content-Type", "application/json")
	if p.bearer != "" {
		r.Header.Set("Authorization", "Bearer "+p.bearer)
	}
	res, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		return err
	}
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("%s %s: %d %s", method, path, res.StatusCode, text)
	}
	if raw, ok := out.(*[]byte); ok {
		*raw = text
		return nil
	}
	return json.Unmarshal(text, out)
}

// hasPlugin waits until the checks of the portal report the plugin as ok, which means that it replaces the module.
func (p portal) hasPlugin() error {
	for {
		var ready struct {
			Checks []struct{ Name, State string }
		}
		if err := p.call(http.MethodGet, "/readyz", nil, &ready); err != nil {
			return err
		}
		i := slices.IndexFunc(ready.Checks, func(c struct{ Name, State string }) bool { return c.Name == "plugin "+key })
		if i >= 0 && ready.Checks[i].State == "ok" {
			return nil
		}
		select {
		case <-p.ctx.Done():
			return fmt.Errorf("no plugin %s among the checks: %v", key, ready.Checks)
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// answersCustomer signs a customer in and calls an operation of the module.
func (p *portal) answersCustomer() error {
	var who struct {
		Username string `json:"username"`
		Password string `json:"password"`
	}
	if err := p.call(http.MethodPost, "/api/v0/dev/customers", map[string]any{}, &who); err != nil {
		return err
	}
	var session struct {
		Token string `json:"id_token"`
	}
	if err := p.call(http.MethodPost, "/api/v0/auth/sign-in", who, &session); err != nil {
		return err
	}
	p.bearer = session.Token
	var weather struct{ Stations []struct{ Station string } }
	if err := p.call(http.MethodGet, "/api/v0/weather", nil, &weather); err != nil {
		return err
	}
	if len(weather.Stations) == 0 {
		return fmt.Errorf("the plugin knows no weather")
	}
	return nil
}

// hasRemote compares the entry file that the portal serves with the built one.
func (p portal) hasRemote(dist string) error {
	raw, err := os.ReadFile(filepath.Join(dist, "remote.json"))
	if err != nil {
		return err
	}
	var built struct{ Entry string }
	if err := json.Unmarshal(raw, &built); err != nil {
		return err
	}
	want, err := os.ReadFile(filepath.Join(dist, built.Entry))
	if err != nil {
		return err
	}
	var shown struct{ Remotes []struct{ Key, Entry string } }
	if err := p.call(http.MethodGet, "/api/v0/portal", nil, &shown); err != nil {
		return err
	}
	for _, r := range shown.Remotes {
		if r.Key != key {
			continue
		}
		var got []byte
		if err := p.call(http.MethodGet, r.Entry, nil, &got); err != nil {
			return err
		}
		if !strings.HasSuffix(r.Entry, built.Entry) || !bytes.Equal(got, want) {
			return fmt.Errorf("the portal serves %s, not the %s that was built outside", r.Entry, built.Entry)
		}
		return nil
	}
	return fmt.Errorf("the portal has no remote %s: %v", key, shown.Remotes)
}
