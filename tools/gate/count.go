package main

import (
	"bufio"
	"bytes"
	"encoding/json"
)

// goTests returns a function that counts the tests and subtests that passed or failed in an output of `go test -json`.
func goTests(name string) func(folder string) (int, error) {
	return func(folder string) (n int, err error) {
		b, err := results(folder, name)
		if err != nil {
			return 0, err
		}
		lines := bufio.NewScanner(bytes.NewReader(b))
		lines.Buffer(nil, 1<<24)
		for lines.Scan() {
			var e struct{ Action, Test string }
			if json.Unmarshal(lines.Bytes(), &e) == nil && e.Test != "" && (e.Action == "pass" || e.Action == "fail") {
				n++
			}
		}
		return n, lines.Err()
	}
}

func vitestTests(folder string) (int, error) {
	var report struct{ NumPassedTests, NumFailedTests int }
	b, err := results(folder, "vitest.json")
	if err != nil {
		return 0, err
	}
	err = json.Unmarshal(b, &report)
	return report.NumPassedTests + report.NumFailedTests, err
}

func journeys(folder string) (int, error) {
	var report struct {
		Stats struct{ Expected, Unexpected, Flaky int }
	}
	b, err := results(folder, "e2e.json")
	if err != nil {
		return 0, err
	}
	err = json.Unmarshal(b, &report)
	return report.Stats.Expected + report.Stats.Unexpected + report.Stats.Flaky, err
}
