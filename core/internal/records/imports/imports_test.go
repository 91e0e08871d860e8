package imports_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/records/imports"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/record"
	"github.com/wattle-portal/wattle/test/plugin/fixture"
)

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func notes(from, to int) string {
	var b strings.Builder
	for i := from; i < to; i++ {
		fmt.Fprintf(&b, `{"relation":"relation-%d","id":"note","text":"number %d"}`+"\n", i%100, i)
	}
	return b.String()
}

func TestRefusedRecordsAreKept(t *testing.T) {
	path := write(t, "note.ndjson", "{\"n\":1}\n{\"n\":2,\"x\":\"<&>\"}\nbroken\n{\"n\":4}\n")
	target := func(_ context.Context, _ string, rows []record.Row) (refused []record.Refusal, err error) {
		for _, r := range rows {
			if r.Line == 2 { // refuses two fields of one record
				refused = append(refused, record.Refusal{Line: 2, Field: "n", Code: "too_short"}, record.Refusal{Line: 2, Field: "x", Code: "invalid"})
			}
		}
		return refused, nil
	}
	var shown bytes.Buffer
	o := imports.Options{Label: "one", Order: []string{"note"}, Files: []string{path}, Progress: &shown}
	report, err := imports.Run(t.Context(), o, target)
	require.NoError(t, err)
	require.Equal(t, imports.Report{Rows: 4, Refused: 2, Rejected: []string{path + ".rejected.ndjson"},
		Reasons: []string{"1 × malformed, first in line 3: it is not valid JSON: column 1: a text stands in double quotes",
			"1 × n: too_short, first in line 2: the value is too short, or below the minimum",
			"1 × x: invalid, first in line 2: the field does not accept this value"}}, report)
	require.Equal(t, 2, report.ExitCode())
	require.Equal(t, "note.ndjson: 4 records, 2 refused\n", shown.String())
	b, err := os.ReadFile(path + ".rejected.ndjson")
	require.NoError(t, err)
	require.Equal(t, `{"line":3,"reason":"malformed","hint":"it is not valid JSON: column 1: a text stands in double quotes","text":"broken"}
{"line":2,"field":"n","reason":"too_short","hint":"the value is too short, or below the minimum","record":{"n":2,"x":"<&>"}}
{"line":2,"field":"x","reason":"invalid","hint":"the field does not accept this value","record":{"n":2,"x":"<&>"}}
`, string(b))
	info, err := os.Stat(path + ".rejected.ndjson")
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())

	require.NoError(t, os.WriteFile(path, []byte("{\"n\":1}\n"), 0o600))
	report, err = imports.Run(t.Context(), o, target)
	require.NoError(t, err)
	require.Zero(t, report.ExitCode())
	require.NoFileExists(t, path+".rejected.ndjson")
}

func TestBatchesAndPauses(t *testing.T) {
	path := write(t, "note.ndjson", notes(0, 1201))
	var sizes []int
	var begun []time.Time
	target := func(_ context.Context, _ string, rows []record.Row) ([]record.Refusal, error) {
		sizes, begun = append(sizes, len(rows)), append(begun, time.Now())
		time.Sleep(30 * time.Millisecond)
		return nil, nil
	}
	_, err := imports.Run(t.Context(), imports.Options{Kind: "x", Order: []string{"x"}, Files: []string{path}, Pause: true}, target)
	require.NoError(t, err)
	require.Equal(t, []int{500, 500, 201}, sizes)
	for i := 1; i < len(begun); i++ { // 30 ms of work and the same pause; a busy machine can only make them longer
		require.GreaterOrEqual(t, begun[i].Sub(begun[i-1]), 60*time.Millisecond, "it does not rest as long as a batch takes")
	}

	// Batches of long records are small.
	sizes = nil
	path = write(t, "note.ndjson", strings.Repeat(`{"a":"`+strings.Repeat("x", 500_000)+"\"}\n", 7))
	_, err = imports.Run(t.Context(), imports.Options{Kind: "x", Order: []string{"x"}, Files: []string{path}}, target)
	require.NoError(t, err)
	require.Equal(t, []int{5, 2}, sizes)

	ctx, cancel := context.WithCancel(t.Context())
	_, err = imports.Run(ctx, imports.Options{Kind: "x", Order: []string{"x"}, Files: []string{write(t, "n", notes(0, 2000))}, Pause: true},
		func(context.Context, string, []record.Row) ([]record.Refusal, error) { cancel(); return nil, nil })
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorContains(t, err, "up to line 500")

	// A stop takes effect after the batch that is being written.
	t.Run("9-stop-under-load", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		stored := map[string]int{}
		o := imports.Options{Kind: "x", Order: []string{"x"}, Files: []string{write(t, "n", notes(0, 2000))}}
		_, err := imports.Run(ctx, o, func(ctx context.Context, _ string, rows []record.Row) ([]record.Refusal, error) {
			cancel()
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			for _, r := range rows {
				stored[string(r.Data)]++
			}
			return nil, nil
		})
		require.ErrorContains(t, err, "up to line 500 is stored")
		require.Len(t, stored, 500)
		report, err := imports.Run(t.Context(), o, func(_ context.Context, _ string, rows []record.Row) ([]record.Refusal, error) {
			for _, r := range rows {
				stored[string(r.Data)]++
			}
			return nil, nil
		})
		require.NoError(t, err, "the same file again completes it")
		require.Equal(t, []int{2000, 0}, []int{report.Rows, report.Refused})
		require.Len(t, stored, 2000)
	})
}

func TestKindsAndOrder(t *testing.T) {
	dir := t.TempDir()
	var files []string
	for _, name := range []string{"connection.ndjson", "01-agreement.x.ndjson", "relation.demo.ndjson"} {
		files = append(files, filepath.Join(dir, name))
		require.NoError(t, os.WriteFile(files[len(files)-1], []byte("{}\n{}\n"), 0o600))
	}
	var kinds []string
	target := func(_ context.Context, kind string, _ []record.Row) ([]record.Refusal, error) {
		kinds = append(kinds, kind)
		return nil, nil
	}
	_, err := imports.Run(t.Context(), imports.Options{Order: []string{"relation", "agreement", "connection"}, Files: files}, target)
	require.NoError(t, err)
	require.Equal(t, []string{"relation", "agreement", "connection"}, kinds)

	kinds = nil
	_, err = imports.Run(t.Context(), imports.Options{Order: []string{"relation", "connection"}, Files: files}, target)
	require.ErrorIs(t, err, imports.ErrKind)
	require.Empty(t, kinds, "something was imported before the files were looked at")

	_, err = imports.Run(t.Context(), imports.Options{Kind: "relation", Order: []string{"relation"},
		Files: []string{filepath.Join(dir, "none")}}, target)
	require.ErrorIs(t, err, os.ErrNotExist)
	failed := errors.New("the database is gone")
	_, err = imports.Run(t.Context(), imports.Options{Kind: "relation", Order: []string{"relation"}, Files: files[:1]},
		func(context.Context, string, []record.Row) ([]record.Refusal, error) { return nil, failed })
	require.ErrorIs(t, err, failed)
}

func state(t *testing.T, w *moduletest.World) (count int, raw string) {
	t.Helper()
	status, body := w.Do(t.Context(), moduletest.Call{Path: "/fixture/state"})
	require.Equal(t, 200, status)
	var s struct {
		Notes []fixture.Note `json:"notes"`
	}
	require.NoError(t, json.Unmarshal(body, &s))
	return len(s.Notes), string(body)
}

// An import pauses as long as it held the writer (docs/decisions/0008), so the hold must be measured through a module's scope.
func TestHoldIsMeasured(t *testing.T) {
	w := moduletest.Open(t, fixture.Module, moduletest.Options{}, false)
	target, _ := imports.Find(w.Registry.Snapshot(), moduletest.LabelOne, w.Hub.ScopeFor)
	ctx, hold := store.WithHold(t.Context())
	_, err := target(ctx, "note", []record.Row{{Line: 1, Data: []byte(`{"relation":"relation-1","id":"a","text":"b"}`)}})
	require.NoError(t, err)
	require.False(t, hold.Requested.IsZero())
	require.Positive(t, hold.Total)
}

func TestDryRunKeepsNothing(t *testing.T) {
	for name, asPlugin := range map[string]bool{"in-process": false, "plugin": true} {
		t.Run(name, func(t *testing.T) {
			w := moduletest.Open(t, fixture.Module, moduletest.Options{Main: "github.com/wattle-portal/wattle/test/plugin/fixture/plugin"}, asPlugin)
			target, order := imports.Find(w.Registry.Snapshot(), moduletest.LabelOne, w.Hub.ScopeFor)
			require.Equal(t, []string{"note"}, order)
			path := write(t, "note.ndjson", notes(0, 600)+"{\"id\":\"nobody\"}\n")
			o := imports.Options{Label: moduletest.LabelOne, Order: order, Files: []string{path}, DryRun: true, Pause: true}
			_, empty := state(t, w)
			report, err := imports.Run(t.Context(), o, target)
			require.NoError(t, err)
			require.Equal(t, 1, report.Refused, "a dry run finds what is wrong")
			_, after := state(t, w)
			require.Equal(t, empty, after, "a dry run left something behind")

			o.DryRun = false
			_, err = imports.Run(t.Context(), o, target)
			require.NoError(t, err)
			n, first := state(t, w)
			require.Equal(t, 100, n)
			_, err = imports.Run(t.Context(), o, target)
			require.NoError(t, err)
			_, second := state(t, w)
			require.Equal(t, first, second, "twice the same file leads elsewhere")
		})
	}
	_, order := imports.Find(moduletest.Open(t, fixture.Module, moduletest.Options{}, false).Registry.Snapshot(), "nowhere",
		func(string, string) (context.Context, bool) { return nil, false })
	require.Empty(t, order)
}

const killed = "WATTLE_TEST_IMPORT" // environment variable with the folder of the process that is killed

func unique(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"relation":"relation-1","id":"note-%06d","text":"number %d"}`+"\n", i, i)
	}
	return b.String()
}

func importInto(t *testing.T, data, path string) (*moduletest.World, error) {
	w := moduletest.Open(t, fixture.Module, moduletest.Options{Data: data}, false)
	target, order := imports.Find(w.Registry.Snapshot(), moduletest.LabelOne, w.Hub.ScopeFor)
	_, err := imports.Run(t.Context(), imports.Options{Label: moduletest.LabelOne, Order: order, Files: []string{path}, Pause: true}, target)
	return w, err
}

// TestKilledProcess is the process that is killed. It does nothing unless it is started as that process.
func TestKilledProcess(t *testing.T) {
	dir := os.Getenv(killed)
	if dir == "" {
		t.Skip("run by TestKilledInTheMiddle")
	}
	_, err := importInto(t, dir, filepath.Join(dir, "note.ndjson"))
	require.NoError(t, err)
}

func TestKilledInTheMiddle(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: takes seconds")
	}
	const total = 20_000
	dir := t.TempDir()
	path := filepath.Join(dir, "note.ndjson")
	require.NoError(t, os.WriteFile(path, []byte(unique(total)), 0o600))
	cmd := exec.Command(os.Args[0], "-test.run=^TestKilledProcess$")
	cmd.Env = append(os.Environ(), killed+"="+dir)
	require.NoError(t, cmd.Start())
	watch := moduletest.Open(t, fixture.Module, moduletest.Options{Data: dir}, false)
	require.Eventually(t, func() bool { n, _ := state(t, watch); return n >= 1000 }, 30*time.Second, 5*time.Millisecond)
	require.NoError(t, cmd.Process.Kill())
	require.Error(t, cmd.Wait())
	n, _ := state(t, watch)
	require.Less(t, n, total, "it was done before it was killed")
	require.Zero(t, n%imports.BatchRows, "half a batch was stored")

	_, err := importInto(t, dir, path)
	require.NoError(t, err)
	n, _ = state(t, watch)
	require.Equal(t, total, n)
}
