package main

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestTally(t *testing.T) {
	ids := []string{"5.4-phone-dutch", "5.4-phone-normalise", "1-font-default", "face-title"}
	counted := func(read func(*tally) error) map[string]*outcome {
		tests := newTally(rowsOf("ui", ids...))
		if err := read(tests); err != nil {
			t.Fatal(err)
		}
		if len(tests.unknown) != 1 || !tests.unknown["9-no-such-row"] {
			t.Errorf("unknown rows: %v", tests.unknown)
		}
		return tests.outcomes
	}
	expect := func(o map[string]*outcome, want map[string]bool) {
		t.Helper()
		for id, w := range want {
			if proven(row{ID: id, Layer: "ui"}, o[id]) != w {
				t.Errorf("%s: %+v, want proven %v", id, *o[id], w)
			}
		}
	}
	t.Run("go test", func(t *testing.T) {
		o := counted(func(tests *tally) error {
			return tests.goTests([]byte(`{"Action":"pass","Test":"TestPhone/5.4-phone-dutch,5.4-phone-normalise"}
{"Action":"pass","Test":"TestPhone/5.4-phone-dutch,5.4-phone-normalise/sqlite"}
{"Action":"pass","Test":"TestFont/1-font-default"}
{"Action":"skip","Test":"TestFont/1-font-default#01"}
{"Action":"pass","Test":"TestFont/9-no-such-row"}
not json`))
		})
		expect(o, map[string]bool{"5.4-phone-dutch": true, "5.4-phone-normalise": true, "1-font-default": false, "face-title": false})
	})
	t.Run("vitest", func(t *testing.T) {
		o := counted(func(tests *tally) error {
			return tests.vitest([]byte(`{"testResults":[{"assertionResults":[
				{"fullName":"phone [5.4-phone-dutch 9-no-such-row] a number","status":"passed"},
				{"fullName":"[face-title] x","status":"failed"}]}]}`))
		})
		expect(o, map[string]bool{"5.4-phone-dutch": true, "face-title": false})
	})
	t.Run("playwright", func(t *testing.T) {
		o := counted(func(tests *tally) error {
			return tests.playwright([]byte(`{"suites":[{"title":"a.spec.ts","specs":[
				{"title":"[face-title] t","ok":true,"tests":[{"status":"expected"}]},
				{"title":"[9-no-such-row] t","ok":true,"tests":[{"status":"expected"}]}],
				"suites":[{"title":"in","specs":[{"title":"[1-font-default] t","ok":true,"tests":[{"status":"skipped"}]}]}]}]}`))
		})
		expect(o, map[string]bool{"face-title": true, "1-font-default": false})
	})
}

// A test that make test skips leaves its row to make test-all. In make test-all, a skipped test leaves the row unproven.
func TestSkippedByMakeTest(t *testing.T) {
	for _, short := range []bool{true, false} {
		tests := newTally(rowsOf("api", "1-font-default"))
		tests.short = short
		if err := tests.goTests([]byte(`{"Action":"pass","Test":"TestFont/1-font-default"}
{"Action":"skip","Test":"TestWhole/1-font-default"}`)); err != nil {
			t.Fatal(err)
		}
		if got := proven(row{Layer: "api"}, tests.outcomes["1-font-default"]); got != short {
			t.Errorf("make test %v: proven %v", short, got)
		}
	}
}

// A journey that lists several rows proves those that its own assertions name.
func TestJourneyOfSeveralRows(t *testing.T) {
	tests := newTally(rowsOf("ui", "face-title", "face-focus"))
	if err := tests.playwright([]byte(`{"suites":[{"title":"a.spec.ts","specs":[{"title":"[face-title face-focus] t","ok":true,
		"tests":[{"status":"expected","results":[{"annotations":[{"type":"row","description":"face-title"}]}]}]}]}]}`)); err != nil {
		t.Fatal(err)
	}
	if o := tests.outcomes; o["face-title"].passed[tsSide] != 1 || o["face-focus"].passed[tsSide] != 0 {
		t.Errorf("counted %+v and %+v", *o["face-title"], *o["face-focus"])
	}
	if want := "face-focus in [face-title face-focus] t"; !tests.silent[want] {
		t.Errorf("silent rows: %v, want %s", tests.silent, want)
	}
}

func TestLayerBothNeedsBothSides(t *testing.T) {
	for what, c := range map[string]struct {
		passed [2]int
		want   bool
	}{
		"Go only":         {[2]int{1, 0}, false},
		"TypeScript only": {[2]int{0, 1}, false},
		"both":            {[2]int{1, 1}, true},
	} {
		if got := proven(row{Layer: "both"}, &outcome{passed: c.passed}); got != c.want {
			t.Errorf("%s: proven %v", what, got)
		}
		if !proven(row{Layer: "api"}, &outcome{passed: c.passed}) {
			t.Errorf("%s: a row of one layer is unproven", what)
		}
	}
}

func TestNames(t *testing.T) {
	for name, want := range map[string]string{
		"TestA/4-offer-transitions":                "4-offer-transitions",
		"TestA/4-offer-transitions#02":             "4-offer-transitions",
		"TestA/4-offer-transitions,5.7-offer-date": "4-offer-transitions 5.7-offer-date",
		"TestA/4-offer-transitions/sqlite":         "",
		"TestA/2026-11-20":                         "",
		"TestA/10-plugin-appears":                  "10-plugin-appears",
		"TestA/11-import-vet":                      "11-import-vet",
		"TestA/of_plugins:_10-plugin-appears":      "unreadable",
		"TestA/12-times":                           "",
		"TestA/of_offers:_4-offer-transitions":     "unreadable",
		"TestA/4-offer-transitions,_5.7-offer":     "unreadable",
		"TestA/4-offer-transitions,sqlite":         "unreadable",
		"TestA/4-Offer":                            "unreadable",
		"TestA/face-Title":                         "unreadable",
		"TestA/4-offer-Transitions":                "unreadable",
	} {
		ids, ok := goIDs(name)
		check(t, name, ids, ok, want)
	}
	for title, want := range map[string]string{
		"[9-production-unit 9-chart-height] both":       "9-production-unit 9-chart-height",
		"[10-plugin-tabs 9-chart-height] both":          "10-plugin-tabs 9-chart-height",
		"a describe [9-production-unit] both":           "9-production-unit",
		"closes [aria-busy] regions":                    "",
		"[9-production-unit,9-chart-height] both":       "unreadable",
		"[] several at once":                            "unreadable",
		"[ ] several at once":                           "unreadable",
		"the rules hold over HTTP: 5.7-offer":           "unreadable",
		"[9-production-unit] and 9-chart-height":        "unreadable",
		"[9-production-unit and a sentence]":            "unreadable",
		"a.spec.ts @axe 1042 en 390, without a login":   "",
		"[face-title] surface-colours of 14-day ranges": "face-title",
	} {
		ids, ok := titleIDs(title)
		check(t, title, ids, ok, want)
	}
}

func check(t *testing.T, name string, ids []string, ok bool, want string) {
	t.Helper()
	got := strings.Join(ids, " ")
	if !ok {
		got = "unreadable"
	}
	if got != want {
		t.Errorf("%s: %q, want %q", name, got, want)
	}
}

// An invalid name fails the run even when every row is proven.
func TestRunFails(t *testing.T) {
	// Eleven rows, ten of which make test proves.
	ledger := func(gates map[string]string) string {
		lines := "id\tmodule\tlayer\tstep\tgate\tstatement\n"
		for _, id := range strings.Fields("face-title face-a face-b face-c face-d face-e face-f face-g face-h face-i face-j") {
			lines += id + "\tcore\tui\t1\t" + cmp.Or(gates[id], "test") + "\tx\n"
		}
		return lines
	}
	const ten = "[face-a face-b face-c face-d face-e face-f face-g face-h face-i face-j] t"
	none := map[string]string{}
	title := func(gate string) map[string]string { return map[string]string{"face-title": gate} }
	for what, c := range map[string]struct {
		gates             map[string]string
		title, gate, want string
	}{
		"unproven":                  {none, ten, "all", "1 rows are unproven"},
		"unproven by make test":     {none, ten, "test", "1 rows are unproven"},
		"left to make test-all":     {title("all"), ten, "test", ""},
		"unproven by make test-all": {title("all"), ten, "all", "1 rows are unproven"},
		"left to make release-test": {title("release"), ten, "all", ""},
		"proven":                    {none, ten + " [face-title]", "all", ""},
		"too many left to make test-all": {map[string]string{"face-title": "all", "face-a": "all"}, ten, "test",
			"the gate of less than 90% of the rows is test"},
		"unknown": {title("all"), ten + " [face-tile]", "test", "1 names of tests do not count"},
		"empty":   {title("all"), ten + " []", "test", "10 rows are unproven\n1 names of tests do not count"},
	} {
		t.Run(what, func(t *testing.T) {
			dir := t.TempDir()
			write := func(name, text string) string {
				path := filepath.Join(dir, name)
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
				return path
			}
			report := `{"testResults":[{"assertionResults":[{"fullName":"` + c.title + `","status":"passed"}]}]}`
			none := filepath.Join(dir, "none")
			err := run(write("ledger.tsv", ledger(c.gates)), none, write("vitest.json", report), none, "", c.gate, false)
			got := ""
			if err != nil {
				got = err.Error()
			}
			if got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func rowsOf(layer string, ids ...string) (rows []row) {
	for _, id := range ids {
		rows = append(rows, row{ID: id, Layer: layer})
	}
	return rows
}

// The ids in the ledger have the form that the parser accepts.
func TestLedger(t *testing.T) {
	rows, err := read("../../docs/requirements.tsv")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, r := range rows {
		if !wholeID.MatchString(r.ID) {
			t.Errorf("%s does not read as an id", r.ID)
		}
		if seen[r.ID] {
			t.Errorf("%s stands there twice", r.ID)
		}
		seen[r.ID] = true
		if !slices.Contains([]string{"api", "ui", "both"}, r.Layer) {
			t.Errorf("%s: layer %q", r.ID, r.Layer)
		}
		if !slices.Contains([]string{"test", "all", "release"}, r.Gate) {
			t.Errorf("%s: gate %q", r.ID, r.Gate)
		}
	}
}
