// Command requirements counts the rows of docs/requirements.tsv that are proven by tests that passed.
//
// Every runner writes what it ran to a results file: `go test -json`, vitest's and Playwright's JSON reporters. A test proves the
// rows whose ids stand in its name: `t.Run("5.4-phone-dutch,5.4-phone-normalise", …)` in Go, `[5.4-phone-dutch] …` elsewhere. A
// row is proven when at least one test that names it passed and none that names it failed or was skipped.
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
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
)

type row struct {
	ID, Module, Layer, Statement string
	Step                         int
}

// outcome of all tests that name a row.
type outcome struct{ passed, other int }

func main() {
	ledger := flag.String("ledger", "docs/requirements.tsv", "the ledger of requirements")
	goResults := flag.String("go", "test-results/go.json", "output of go test -json")
	vitest := flag.String("vitest", "test-results/vitest.json", "vitest's JSON report")
	e2e := flag.String("e2e", "test-results/e2e.json", "Playwright's JSON report")
	complete := flag.String("complete", "", "steps, comma separated, whose rows must all be proven")
	module := flag.String("module", "", "list the rows of this module only")
	list := flag.Bool("list", false, "list the unproven rows of every step that has a proven one")
	flag.Parse()
	if err := run(*ledger, *goResults, *vitest, *e2e, *complete, *module, *list); err != nil {
		fmt.Fprintln(os.Stderr, "requirements:", err)
		os.Exit(1)
	}
}

func run(ledger, goResults, vitest, e2e, complete, module string, list bool) error {
	rows, err := read(ledger)
	if err != nil {
		return err
	}
	outcomes := map[string]*outcome{}
	for _, r := range rows {
		outcomes[r.ID] = &outcome{}
	}
	tests := tally{outcomes: outcomes, unknown: map[string]bool{}}
	for _, source := range []struct {
		path string
		read func([]byte) error
	}{{goResults, tests.goTests}, {vitest, tests.vitest}, {e2e, tests.playwright}} {
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
		fmt.Printf("a test names %s, which is no row of the ledger\n", id)
	}
	missing := 0
	for _, r := range rows {
		must := slices.Contains(strings.Split(complete, ","), strconv.Itoa(r.Step))
		o := outcomes[r.ID]
		if proven(o) || (module != "" && module != r.Module) || (!must && !list) {
			continue
		}
		why := "no test"
		if o.other > 0 {
			why = "a test failed or was skipped"
		}
		fmt.Printf("unproven: %d\t%s\t%s\t(%s)\t%s\n", r.Step, r.Module, r.ID, why, r.Statement)
		if must {
			missing++
		}
	}
	fmt.Printf("%d passed, %d failed\n", tests.passed, tests.failed)
	if missing > 0 {
		return fmt.Errorf("%d rows of complete steps are unproven", missing)
	}
	return nil
}

func proven(o *outcome) bool { return o.passed > 0 && o.other == 0 }

func print(rows []row, outcomes map[string]*outcome) {
	type key struct {
		step   int
		module string
	}
	all, done := map[key]int{}, map[key]int{}
	for _, r := range rows {
		k := key{r.Step, r.Module}
		all[k]++
		if proven(outcomes[r.ID]) {
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
	_ = w.Flush() // a closed pipe is the reader's choice
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
		if len(f) != 5 {
			return nil, fmt.Errorf("%s:%d: %d columns, want 5", path, i+1, len(f))
		}
		step, err := strconv.Atoi(f[3])
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, i+1, err)
		}
		rows = append(rows, row{ID: f[0], Module: f[1], Layer: f[2], Step: step, Statement: f[4]})
	}
	return rows, nil
}

type tally struct {
	outcomes       map[string]*outcome
	unknown        map[string]bool
	passed, failed int
}

func (t *tally) add(ids []string, passed bool) {
	for _, id := range ids {
		o := t.outcomes[id]
		if o == nil {
			t.unknown[id] = true
			continue
		}
		if passed {
			o.passed++
		} else {
			o.other++
		}
	}
}

// An id begins with its section of the spec or with "face".
var idPattern = regexp.MustCompile(`^(\d+(\.\d+)?|face)-[a-z0-9]+(-[a-z0-9]+)*$`)

func (t *tally) goTests(b []byte) error {
	lines := bufio.NewScanner(strings.NewReader(string(b)))
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var e struct{ Action, Test string }
		if json.Unmarshal(lines.Bytes(), &e) != nil || e.Test == "" {
			continue // go vet and build output stand between
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
		segments := strings.Split(e.Test, "/")
		ids := strings.Split(segments[len(segments)-1], ",")
		ids = slices.DeleteFunc(ids, func(id string) bool {
			id, _, _ = strings.Cut(id, "#")
			return !idPattern.MatchString(id)
		})
		for i := range ids {
			ids[i], _, _ = strings.Cut(ids[i], "#") // a second test of that name
		}
		t.add(ids, e.Action == "pass")
	}
	return lines.Err()
}

var bracketed = regexp.MustCompile(`\[([^\]]+)\]`)

func titleIDs(title string) (ids []string) {
	for _, m := range bracketed.FindAllStringSubmatch(title, -1) {
		for _, id := range strings.Fields(m[1]) {
			if idPattern.MatchString(id) {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

func (t *tally) named(title string, passed, skipped bool) {
	if passed {
		t.passed++
	} else if !skipped {
		t.failed++
	}
	t.add(titleIDs(title), passed)
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
			t.named(a.FullName, a.Status == "passed", a.Status == "skipped" || a.Status == "pending" || a.Status == "todo")
		}
	}
	return nil
}

type suite struct {
	Title  string
	Suites []suite
	Specs  []struct {
		Title string
		OK    bool
		Tests []struct{ Status string }
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
		skipped := len(spec.Tests) > 0 && !slices.ContainsFunc(spec.Tests, func(x struct{ Status string }) bool { return x.Status != "skipped" })
		t.named(title+" "+spec.Title, spec.OK && !skipped, skipped)
	}
}
