// Command requirements counts the rows of docs/requirements.tsv that passed tests prove.
//
// Every runner writes its results to a file: `go test -json`, and the JSON reporters of vitest and Playwright. A test proves the rows
// whose ids are in its name: `t.Run("5.4-phone-dutch,5.4-phone-normalise", …)` in Go, `[5.4-phone-dutch] …` elsewhere. A row is proven
// when at least one test that names it passed and none that names it failed or was skipped; a row of layer "both" needs that in Go and in
// TypeScript. A journey that lists several rows proves those whose ids its assertions contain (see tools/rows-reporter.ts). A name that
// looks like an id and is not in docs/requirements.tsv, or does not parse, is an error.
//
// The gate column is the command that proves a row: "test" is make test, "all" make test-all, "release" make release-test.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
)

type row struct {
	ID, Module, Layer, Gate, Statement string
	Step                               int
}

// minByTest is the minimum percentage of rows that `make test` must prove.
const minByTest = 90

// side is where a test runs. A row of layer "both" needs both sides.
type side int

const (
	goSide side = iota
	tsSide
)

// outcome is the result of all tests that name a row.
type outcome struct {
	passed [2]int // by side
	other  int
}

func main() {
	file := flag.String("file", "docs/requirements.tsv", "the file of requirements")
	goResults := flag.String("go", "test-results/go.json,test-results/cluster.json", "outputs of go test -json, comma separated")
	vitest := flag.String("vitest", "test-results/vitest.json", "vitest's JSON report")
	e2e := flag.String("e2e", "test-results/e2e.json", "Playwright's JSON report")
	module := flag.String("module", "", "list the rows of this module only")
	list := flag.Bool("list", false, "list the unproven rows of the other gates too")
	gate := flag.String("gate", "all", "test: only the rows that make test proves must be proven; all: those of make test-all too")
	flag.Parse()
	if err := run(*file, *goResults, *vitest, *e2e, *module, *gate, *list); err != nil {
		fmt.Fprintln(os.Stderr, "requirements:", err)
		os.Exit(1)
	}
}

func run(file, goResults, vitest, e2e, module, gate string, list bool) error {
	rows, err := read(file)
	if err != nil {
		return err
	}
	tests := newTally(rows)
	tests.short = gate == "test"
	outcomes := tests.outcomes
	type source struct {
		path string
		read func([]byte) error
	}
	sources := []source{{vitest, tests.vitest}, {e2e, tests.playwright}}
	for path := range strings.SplitSeq(goResults, ",") {
		sources = append(sources, source{path, tests.goTests})
	}
	for _, source := range sources {
		b, err := os.ReadFile(source.path)
		if errors.Is(err, fs.ErrNotExist) {
			fmt.Printf("no results in %s\n", source.path)
			continue
		}
		if err == nil {
			err = source.read(b)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", source.path, err)
		}
	}
	print(rows, outcomes)
	for _, id := range slices.Sorted(maps.Keys(tests.unknown)) {
		fmt.Printf("a test names %s, which is not a requirement\n", id)
	}
	for _, name := range slices.Sorted(maps.Keys(tests.unreadable)) {
		fmt.Printf("a test's name seems to list rows and cannot be read: %s\n", name)
	}
	for _, what := range slices.Sorted(maps.Keys(tests.silent)) {
		fmt.Printf("a journey lists a row without an assertion that names it: %s\n", what)
	}
	missing := 0
	for _, r := range rows {
		must := r.Gate == "test" || r.Gate == gate
		o := outcomes[r.ID]
		if proven(r, o) || (module != "" && module != r.Module) || (!must && !list) {
			continue
		}
		why := "no test"
		switch {
		case o.other > 0:
			why = "a test failed or was skipped"
		case o.passed[goSide] > 0:
			why = "no test in TypeScript"
		case o.passed[tsSide] > 0:
			why = "no test in Go"
		}
		fmt.Printf("unproven: %d\t%s\t%s\t(%s)\t%s\n", r.Step, r.Module, r.ID, why, r.Statement)
		if must {
			missing++
		}
	}
	for _, r := range rows {
		if gate == "test" && r.Gate != gate && proven(r, outcomes[r.ID]) {
			fmt.Printf("proven by make test, although its gate is %s: %s\n", r.Gate, r.ID)
		}
	}
	fmt.Printf("%d passed, %d failed\n", tests.passed, tests.failed)
	var errs []error
	all, done := map[string]int{}, map[string]int{}
	for _, r := range rows {
		all[r.Gate]++
		if proven(r, outcomes[r.ID]) {
			done[r.Gate]++
		}
	}
	for _, gate := range slices.Sorted(maps.Keys(all)) {
		fmt.Printf("gate %s: %d of %d rows are proven\n", gate, done[gate], all[gate])
	}
	if all["test"]*100 < minByTest*len(rows) {
		errs = append(errs, fmt.Errorf("the gate of less than %d%% of the rows is test", minByTest))
	}
	if missing > 0 {
		errs = append(errs, fmt.Errorf("%d rows are unproven", missing))
	}
	if n := len(tests.unknown) + len(tests.unreadable) + len(tests.silent); n > 0 {
		errs = append(errs, fmt.Errorf("%d names of tests do not count", n))
	}
	return errors.Join(errs...)
}

func proven(r row, o *outcome) bool {
	if r.Layer == "both" && (o.passed[goSide] == 0 || o.passed[tsSide] == 0) {
		return false
	}
	return o.passed[goSide]+o.passed[tsSide] > 0 && o.other == 0
}

func print(rows []row, outcomes map[string]*outcome) {
	type key struct {
		step   int
		module string
	}
	all, done := map[key]int{}, map[key]int{}
	for _, r := range rows {
		k := key{r.Step, r.Module}
		all[k]++
		if proven(r, outcomes[r.ID]) {
			done[k]++
		}
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "step\tmodule\tproven\trows")
	keys := slices.SortedFunc(maps.Keys(all), func(a, b key) int {
		if a.step != b.step {
			return a.step - b.step
		}
		return strings.Compare(a.module, b.module)
	})
	for _, k := range keys {
		fmt.Fprintf(w, "%d\t%s\t%d\t%d\n", k.step, k.module, done[k], all[k])
	}
	_ = w.Flush() // the reader may have closed the pipe
}

func read(path string) ([]row, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var rows []row
	for i, line := range strings.Split(strings.TrimSpace(string(b)), "\n") {
		f := strings.Split(line, "\t")
		if i == 0 {
			continue
		}
		if len(f) != 6 {
			return nil, fmt.Errorf("%s:%d: %d columns, want 6", path, i+1, len(f))
		}
		step, err := strconv.Atoi(f[3])
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, i+1, err)
		}
		rows = append(rows, row{ID: f[0], Module: f[1], Layer: f[2], Step: step, Gate: f[4], Statement: f[5]})
	}
	return rows, nil
}

type tally struct {
	outcomes map[string]*outcome
	// Ids that are not rows; names that seem to list rows and do not parse; rows of a journey that no assertion names.
	unknown, unreadable, silent map[string]bool
	passed, failed              int
	short                       bool // skipped tests do not count, because make test-all runs them
}

func newTally(rows []row) *tally {
	t := &tally{outcomes: map[string]*outcome{}, unknown: map[string]bool{}, unreadable: map[string]bool{}, silent: map[string]bool{}}
	for _, r := range rows {
		t.outcomes[r.ID] = &outcome{}
	}
	return t
}

func (t *tally) add(from side, ids []string, passed bool) {
	for _, id := range ids {
		o := t.outcomes[id]
		if o == nil {
			t.unknown[id] = true
			continue
		}
		if passed {
			o.passed[from]++
		} else {
			o.other++
		}
	}
}

func (t *tally) goTests(b []byte) error {
	lines := bufio.NewScanner(strings.NewReader(string(b)))
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var e struct{ Action, Test string }
		if json.Unmarshal(lines.Bytes(), &e) != nil || e.Test == "" {
			continue // output of go vet and go build
		}
		if e.Action != "pass" && e.Action != "fail" && e.Action != "skip" {
			continue
		}
		switch e.Action {
		case "pass":
			t.passed++
		case "fail":
			t.failed++
		}
		ids, ok := goIDs(e.Test)
		if !ok {
			t.unreadable[e.Test] = true
		}
		if e.Action != "skip" || !t.short {
			t.add(goSide, ids, e.Action == "pass")
		}
	}
	return lines.Err()
}

// named counts a test and returns the rows that its title lists.
func (t *tally) named(title string, passed, skipped bool) []string {
	if passed {
		t.passed++
	} else if !skipped {
		t.failed++
	}
	ids, ok := titleIDs(title)
	if !ok {
		t.unreadable[strings.TrimSpace(title)] = true
	}
	return ids
}

func (t *tally) vitest(b []byte) error {
	var report struct {
		TestResults []struct {
			AssertionResults []struct{ FullName, Status string }
		}
	}
	if err := json.Unmarshal(b, &report); err != nil {
		return err
	}
	for _, file := range report.TestResults {
		for _, a := range file.AssertionResults {
			passed, skipped := a.Status == "passed", a.Status == "skipped" || a.Status == "pending" || a.Status == "todo"
			ids := t.named(a.FullName, passed, skipped)
			if !skipped || !t.short {
				t.add(tsSide, ids, passed)
			}
		}
	}
	return nil
}

type suite struct {
	Title  string
	Suites []suite
	Specs  []spec
}

type spec struct {
	Title string
	OK    bool
	Tests []struct {
		Status  string
		Results []struct {
			Annotations []struct{ Type, Description string }
		}
	}
}

func (t *tally) playwright(b []byte) error {
	var report struct{ Suites []suite }
	if err := json.Unmarshal(b, &report); err != nil {
		return err
	}
	for _, s := range report.Suites {
		t.walk(s, "")
	}
	return nil
}

func (t *tally) walk(s suite, title string) {
	title += " " + s.Title
	for _, inner := range s.Suites {
		t.walk(inner, title)
	}
	for _, spec := range s.Specs {
		skipped := len(spec.Tests) > 0
		asserted := map[string]bool{}
		for _, x := range spec.Tests {
			skipped = skipped && x.Status == "skipped"
			for _, r := range x.Results {
				for _, a := range r.Annotations {
					if a.Type == "row" {
						asserted[a.Description] = true
					}
				}
			}
		}
		passed := spec.OK && !skipped
		ids := t.named(title+" "+spec.Title, passed, skipped)
		if passed && len(ids) > 1 {
			ids = slices.DeleteFunc(ids, func(id string) bool {
				if !asserted[id] {
					t.silent[id+" in "+spec.Title] = true
				}
				return !asserted[id]
			})
		}
		t.add(tsSide, ids, passed)
	}
}
