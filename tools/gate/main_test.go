package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRun(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("Makefile", []byte("good: ; @echo $@ $(SHORT)\nbad: ; @exit 1\n"), 0o600))
	require.NoError(t, os.Mkdir("test-results", 0o700))
	require.NoError(t, os.WriteFile(filepath.Join("test-results", "go.json"), []byte(`{"Action":"pass","Test":"TestA"}
{"Action":"fail","Test":"TestA/one"}
{"Action":"skip","Test":"TestB"}
{"Action":"pass","Package":"p"}
`), 0o600))
	var out strings.Builder
	err := run(t.Context(), []stage{
		{"first", []string{"bad"}, time.Hour, nil},
		{"second", []string{"good", "SHORT=1"}, time.Nanosecond, goTests("go.json")},
		{"third", []string{"good"}, time.Hour, vitestTests},
	}, &out)
	require.EqualError(t, err, "failed: first, third", "the third has no results")
	assert.Contains(t, out.String(), "good 1\n", "the stage after one that failed, with its variable")
	assert.Regexp(t, `first +0 +3600 +FAILED`, out.String())
	assert.Regexp(t, `second +0 +0 +2 +passed, over budget`, out.String())
	assert.Regexp(t, `all +0 +7200 +2`, out.String())
	assert.Contains(t, out.String(), "over budget: second\n")
}

func TestRunEndsWhenItIsStopped(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("Makefile", []byte("good: ; @echo good\n"), 0o600))
	ctx, stop := context.WithCancel(t.Context())
	stop()
	var out strings.Builder
	require.ErrorIs(t, run(ctx, []stage{{name: "first", make: []string{"good"}}, {name: "later", make: []string{"good"}}}, &out),
		context.Canceled)
	assert.NotContains(t, out.String(), "later")
}

func TestChoose(t *testing.T) {
	names := func(args ...string) (out []string) {
		chosen, err := choose(args)
		require.NoError(t, err)
		for _, s := range chosen {
			out = append(out, s.name)
		}
		return out
	}
	assert.Equal(t, []string{"lint", "build", "go", "race", "ts", "browser", "requirements"}, names("test"))
	assert.Equal(t, []string{"browser", "go"}, names("all", "browser,go"))
	for _, args := range [][]string{nil, {"tests"}, {"all", "go", "ts"}} {
		_, err := choose(args)
		require.ErrorContains(t, err, "usage:")
	}
	_, err := choose([]string{"all", "gone"})
	require.EqualError(t, err, `there is no section "gone": lint, build, go, cluster, race, ts, browser, requirements`)
}

// The budgets of make test add up to ten minutes.
func TestBudget(t *testing.T) {
	var sum time.Duration
	for _, s := range stages["test"] {
		sum += s.budget
	}
	assert.LessOrEqual(t, sum, 10*time.Minute)
}

func TestCounts(t *testing.T) {
	dir := t.TempDir()
	for name, c := range map[string]struct {
		text  string
		count func(string) (int, error)
		want  int
	}{
		"vitest.json": {`{"numPassedTests":7,"numFailedTests":1,"numPendingTests":4}`, vitestTests, 8},
		"e2e.json":    {`{"stats":{"expected":5,"unexpected":2,"flaky":1,"skipped":9}}`, journeys, 8},
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(c.text), 0o600))
		n, err := c.count(dir)
		require.NoError(t, err)
		assert.Equal(t, c.want, n, name)
	}
}
