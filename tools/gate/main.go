// Command gate runs the stages of `make test`, or the sections of `make test-all`, one after the other: gate test, gate all [SECTION,…].
// It continues after a failed stage and ends with a table of durations, with budgets for two cores and warm caches. A stage that exceeds
// its budget is reported but does not fail, because that depends on the machine.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"
)

// stage is a target of the Makefile.
type stage struct {
	name   string
	make   []string // target and variables
	budget time.Duration
	count  func(folder string) (int, error) // number of tests that ran, from its results; nil: it has no tests
}

// stages lists the stages by gate. SHORT=1 leaves out tests that belong to `make test-all` only (decision 0070).
var stages = map[string][]stage{
	"test": {
		{"lint", []string{"lint"}, 45 * time.Second, nil},
		{"build", []string{"bin/wattle", "sizes"}, 40 * time.Second, nil},
		{"go", []string{"test-go", "SHORT=1"}, 190 * time.Second, goTests("go.json")},
		{"race", []string{"test-race", "SHORT=1"}, 75 * time.Second, goTests("race.json")},
		{"ts", []string{"test-ts", "SHORT=1"}, 110 * time.Second, vitestTests},
		{"browser", []string{"e2e", "SHORT=1"}, 135 * time.Second, journeys},
		{"requirements", []string{"requirements", "GATE=test"}, 5 * time.Second, nil},
	},
	"all": {
		{"lint", []string{"lint"}, 75 * time.Second, nil},
		{"build", []string{"docs", "bin/wattle", "sizes"}, 2 * time.Minute, nil},
		{"go", []string{"test-go"}, 12 * time.Minute, goTests("go.json")},
		{"cluster", []string{"cluster"}, 2 * time.Minute, goTests("cluster.json")},
		{"race", []string{"test-race"}, 8 * time.Minute, goTests("race.json")},
		{"ts", []string{"test-ts"}, 75 * time.Second, vitestTests},
		{"browser", []string{"e2e"}, 11 * time.Minute, journeys},
		{"requirements", []string{"requirements"}, 5 * time.Second, nil},
	},
}

// outcome is the result of a stage.
type outcome struct {
	stage
	took  time.Duration
	tests int
	err   error
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	chosen, err := choose(os.Args[1:])
	if err == nil {
		err = run(ctx, chosen, os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "gate:", err)
		os.Exit(1)
	}
}

// run runs stages. It continues after a failed stage, and stops when ctx ends.
func run(ctx context.Context, chosen []stage, out io.Writer) error {
	var ended []outcome
	for _, s := range chosen {
		fmt.Fprintf(out, "\n--- %s\n", s.name)
		begun := time.Now()
		cmd := exec.CommandContext(ctx, "make", append([]string{"--no-print-directory"}, s.make...)...)
		cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
		cmd.Stdout, cmd.Stderr = out, os.Stderr
		o := outcome{stage: s, err: cmd.Run(), took: time.Since(begun)}
		if s.count != nil {
			n, err := s.count("test-results")
			if o.tests = n; o.err == nil {
				o.err = err
			}
		}
		ended = append(ended, o)
		if ctx.Err() != nil {
			break
		}
	}
	return errors.Join(table(out, ended), ctx.Err())
}

// choose returns the stages of a gate, or only the listed sections.
func choose(args []string) ([]stage, error) {
	if len(args) == 0 || len(args) > 2 || stages[args[0]] == nil {
		return nil, fmt.Errorf("usage: gate test, or gate all [SECTION,…]")
	}
	all := stages[args[0]]
	if len(args) == 1 {
		return all, nil
	}
	var chosen []stage
	for name := range strings.SplitSeq(args[1], ",") {
		i := slices.IndexFunc(all, func(s stage) bool { return s.name == name })
		if i < 0 {
			var names []string
			for _, s := range all {
				names = append(names, s.name)
			}
			return nil, fmt.Errorf("there is no section %q: %s", name, strings.Join(names, ", "))
		}
		chosen = append(chosen, all[i])
	}
	return chosen, nil
}

// table prints the duration of each stage and returns an error that lists the failed ones.
func table(out io.Writer, ended []outcome) error {
	var failed, late []string
	var total, budget time.Duration
	var tests int
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "\nstage\tseconds\tbudget\ttests\tresult\t\n")
	for _, o := range ended {
		result := "passed"
		if o.took > o.budget {
			late = append(late, o.name)
			result = "passed, over budget"
		}
		if o.err != nil {
			failed = append(failed, o.name)
			result = "FAILED"
		}
		count := ""
		if o.count != nil {
			count = fmt.Sprint(o.tests)
		}
		fmt.Fprintf(w, "%s\t%.0f\t%.0f\t%s\t%s\t\n", o.name, o.took.Seconds(), o.budget.Seconds(), count, result)
		total, budget, tests = total+o.took, budget+o.budget, tests+o.tests
	}
	fmt.Fprintf(w, "all\t%.0f\t%.0f\t%d\t\t\n", total.Seconds(), budget.Seconds(), tests)
	if err := w.Flush(); err != nil {
		return err
	}
	if len(late) > 0 {
		fmt.Fprintf(out, "over budget: %s\n", strings.Join(late, ", "))
	}
	if len(failed) > 0 {
		return fmt.Errorf("failed: %s", strings.Join(failed, ", "))
	}
	return nil
}

func results(folder, name string) ([]byte, error) { return os.ReadFile(filepath.Join(folder, name)) }
