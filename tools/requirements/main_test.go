package main

import "testing"

func TestTally(t *testing.T) {
	ids := []string{"5.4-phone-dutch", "5.4-phone-normalise", "1-font-default", "face-title"}
	counted := func(read func(*tally) error) map[string]*outcome {
		o := map[string]*outcome{}
		for _, id := range ids {
			o[id] = &outcome{}
		}
		tests := &tally{outcomes: o, unknown: map[string]bool{}}
		if err := read(tests); err != nil {
			t.Fatal(err)
		}
		if len(tests.unknown) != 1 || !tests.unknown["9-no-such-row"] {
			t.Errorf("unknown rows: %v", tests.unknown)
		}
		return o
	}
	expect := func(o map[string]*outcome, want map[string]bool) {
		t.Helper()
		for id, w := range want {
			if proven(o[id]) != w {
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
