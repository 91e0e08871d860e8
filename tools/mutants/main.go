// Command mutants changes the rules of modules and of the core one by one and reports which changes no test detects:
//
//	go run ./tools/mutants [MODULE…|MODULE/internal/PACKAGE…|core/PACKAGE…]
//
// All changes of a package are compiled together, and an environment variable selects one by its number, so that a change needs no
// compilation and runs only the tests that reach it. Rules are the files of a module and of its packages in internal, except plumbing
// (core/internal/testing/arch) and demo data, and the packages of the core that compute rather than serve or store. The tests of a file are
// those of its package, on SQLite, without the conformance suite. Surviving changes are printed.
package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// plumbing matches module files without rules; a long file is split by noun: http_invoice.go.
var plumbing = regexp.MustCompile(`^(http|store|module|events|import|siblings)(_[a-z_]+)?\.go$`)

// generators are packages that generate measurements for the demo. Their exact numbers do not matter: most changes of a factor produce an
// equally plausible household, and their tests check only what the demo promises. They are changed only if they are named.
var generators = []string{"modules/usage/internal/household"}

// coreRules are the packages of the core that compute from what they are given. In other packages, tests of the API prove what matters.
var coreRules = []string{"core/value", "core/files", "core/internal/base/private", "core/internal/labels/icu", "core/internal/labels/mail",
	"core/internal/labels/mapping", "core/internal/labels/markdown", "core/internal/labels/theme", "core/internal/records/formats",
	"core/internal/storage/keyset", "core/internal/http/portal"}

const (
	number = "WATTLE_MUTANT"       // the active change
	reach  = "WATTLE_MUTANT_REACH" // file that records which changes a test reaches
	skip   = "^TestConformance$|^TestOpenAPI$|^TestAsyncAPI$|/postgres$"
	limit  = 10 * time.Second // in addition to ten times the duration of the test; stops a change that never ends

	maxTestTime = 3 * time.Second // tests that take longer are left out: they are journeys
	minDetected = 90.0            // minimum percentage of changes that tests must detect
)

// mutant is one change.
type mutant struct {
	ID            int
	File          string
	Line          int
	Was, Is, Code string
	State         string // killed, survived, uncovered, timed out
}

func (m *mutant) String() string {
	return fmt.Sprintf("%-9s %s:%d  %s -> %s   %s", m.State, m.File, m.Line, m.Was, m.Is, m.Code)
}

// result is the result for a package.
type result struct {
	Package                               string
	Killed, Survived, Uncovered, TimedOut int
	Mutants                               []*mutant
}

func (r *result) share() float64 {
	return 100 * float64(r.Killed+r.TimedOut) / float64(max(1, len(r.Mutants)))
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

func run(packages []string) error {
	if len(packages) == 0 {
		found, err := filepath.Glob("modules/*/module_test.go")
		if err != nil {
			return err
		}
		for _, f := range found {
			packages = append(packages, filepath.Dir(f))
		}
		packages = append(packages, coreRules...)
	}
	packages, err := withInternal(packages)
	if err != nil {
		return err
	}
	all := result{Package: "rules in Go"}
	for _, pkg := range packages {
		r, err := judge(pkg)
		if err != nil {
			return fmt.Errorf("%s: %w", pkg, err)
		}
		if len(r.Mutants) == 0 {
			continue
		}
		for _, m := range r.Mutants {
			if m.State == "survived" || m.State == "uncovered" {
				fmt.Println(m)
			}
		}
		fmt.Println(r.summary())
		all.Killed, all.Survived, all.Uncovered, all.TimedOut = all.Killed+r.Killed, all.Survived+r.Survived, all.Uncovered+r.Uncovered,
			all.TimedOut+r.TimedOut
		all.Mutants = append(all.Mutants, r.Mutants...)
	}
	fmt.Println(all.summary())
	if all.share() < minDetected {
		return fmt.Errorf("fewer than %.0f%% of the changes were noticed", minDetected)
	}
	return nil
}

// withInternal returns the packages, and the packages with tests in their internal folders. Names without a folder are modules.
func withInternal(packages []string) (out []string, _ error) {
	for _, pkg := range packages {
		if pkg = filepath.Clean(pkg); !strings.HasPrefix(pkg, "modules/") && !strings.HasPrefix(pkg, "core/") {
			pkg = "modules/" + pkg
		}
		out = append(out, pkg)
		tests, err := filepath.Glob(filepath.Join(pkg, "internal", "*", "*_test.go"))
		if err != nil {
			return nil, err
		}
		for _, f := range tests {
			if dir := filepath.Dir(f); !slices.Contains(out, dir) && !slices.Contains(generators, dir) {
				out = append(out, dir)
			}
		}
	}
	return out, nil
}

func (r *result) summary() string {
	return fmt.Sprintf("%s: %d killed, %d survived, %d not covered, %d timed out: %.0f%% noticed", r.Package, r.Killed, r.Survived,
		r.Uncovered, r.TimedOut, r.share())
}

// test is a test of the package and the changes that it reaches.
type test struct {
	name string
	took time.Duration
	sees map[int]bool
}

func judge(pkg string) (*result, error) {
	dir, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }() // a temporary folder
	mutants, err := instrument(pkg, dir)
	if err != nil {
		return nil, err
	}
	if len(mutants) == 0 {
		return &result{Package: pkg}, nil
	}
	binary := filepath.Join(dir, "test")
	build := exec.Command("go", "test", "-c", "-vet=off", "-ldflags=-s -w", "-overlay", filepath.Join(dir, "overlay.json"), "-o", binary, "./"+
		pkg)
	if text, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, text)
	}
	p := program{binary: binary, pkg: pkg, dir: dir}
	if help, _ := exec.Command(binary, "-h").CombinedOutput(); bytes.Contains(help, []byte("rapid.nofailfile")) {
		p.args = append(p.args, "-rapid.nofailfile") // failures here are not test cases to keep
	}
	tests, err := p.tests()
	if err != nil {
		return nil, err
	}
	r := &result{Package: pkg, Mutants: mutants}
	for _, m := range mutants {
		m.State = "uncovered"
		for _, t := range tests {
			if !t.sees[m.ID] {
				continue
			}
			failed, late := p.fails(m.ID, t)
			if m.State = "survived"; failed {
				m.State = "killed"
			}
			if late {
				m.State = "timed out"
			}
			if failed || late {
				break
			}
		}
		switch m.State {
		case "killed":
			r.Killed++
		case "survived":
			r.Survived++
		case "uncovered":
			r.Uncovered++
		default:
			r.TimedOut++
		}
	}
	return r, nil
}

// program is the compiled tests of a package with all its changes.
type program struct {
	binary, pkg, dir string
	args             []string
}

func (p program) command(ctx context.Context, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, p.binary, slices.Concat([]string{"-test.short", "-test.skip=" + skip}, p.args, args)...)
	c.Dir = p.pkg
	return c
}

// tests returns the tests that pass without changes and within the time limit, the fastest first.
func (p program) tests() (out []test, _ error) {
	list, err := p.command(context.Background(), "-test.list=^(Test|Fuzz)").Output()
	if err != nil {
		return nil, err
	}
	for name := range strings.FieldsSeq(string(list)) {
		seen := filepath.Join(p.dir, name)
		c := p.command(context.Background(), "-test.run=^"+name+"$")
		c.Env = append(os.Environ(), reach+"="+seen)
		begin := time.Now()
		if text, err := c.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%s fails as it is: %s", name, text)
		}
		t := test{name: name, took: time.Since(begin), sees: map[int]bool{}}
		if t.took > maxTestTime {
			continue
		}
		text, err := os.ReadFile(seen) //nolint:gosec // written by the test above
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		for n := range bytes.FieldsSeq(text) {
			id, err := strconv.Atoi(string(n))
			if err != nil {
				return nil, err
			}
			t.sees[id] = true
		}
		out = append(out, t)
	}
	slices.SortFunc(out, func(a, b test) int { return cmp.Compare(a.took, b.took) })
	return out, nil
}

// fails reports whether a test fails with a change, and whether it ran into the time limit.
func (p program) fails(id int, t test) (failed, late bool) {
	ctx, cancel := context.WithTimeout(context.Background(), limit+10*t.took)
	defer cancel()
	c := p.command(ctx, "-test.failfast", "-test.run=^"+t.name+"$")
	c.Env = append(os.Environ(), number+"="+strconv.Itoa(id))
	err := c.Run()
	return err != nil && ctx.Err() == nil, ctx.Err() != nil
}
