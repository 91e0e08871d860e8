package program_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/base/clock"
	"github.com/wattle-portal/wattle/core/internal/operate/app"
	"github.com/wattle-portal/wattle/core/internal/operate/backup"
	"github.com/wattle-portal/wattle/core/internal/operate/upgrade/hold"
	"github.com/wattle-portal/wattle/core/internal/storage/audit"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
	"github.com/wattle-portal/wattle/modules"
)

// must runs a program, which must succeed, and returns all its output.
func must(t *testing.T, program string, args ...string) string {
	t.Helper()
	out, err := run(t, program, args...)
	require.NoError(t, err, out)
	return out
}

// exit returns the exit status of a program from its error, or 0 if there was no error.
func exit(t *testing.T, err error) int {
	t.Helper()
	if err == nil {
		return 0
	}
	failed, ok := errors.AsType[*exec.ExitError](err)
	require.True(t, ok, "%v", err)
	return failed.ExitCode()
}

// newInstallation creates an installation with one label, and returns the flags for it and its data folder.
func newInstallation(t *testing.T, program string) (place []string, data string) {
	t.Helper()
	labels, data := t.TempDir(), t.TempDir()
	require.NoError(t, os.Chmod(data, 0o700))
	must(t, program, "labels", "new", "acme", "--name", "Acme Energie", "--labels", labels)
	place = []string{"--labels", labels, "--data", data}
	must(t, program, append([]string{"migrate"}, place...)...)
	return place, data
}

// reportLines returns the lines of a report, with single spaces.
func reportLines(text string) (out []string) {
	for line := range strings.Lines(text) {
		out = append(out, strings.Join(strings.Fields(line), " "))
	}
	return out
}

func TestConfigCheck(t *testing.T) {
	t.Parallel()
	program := wattle(t, "0.1.0")
	t.Run("11-config-check", func(t *testing.T) {
		dir := t.TempDir()
		file := func(name, text string) string {
			path := filepath.Join(dir, name)
			require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
			return path
		}
		good := file("good.cue", "addr: \"127.0.0.1:81\"\n\nsmtp: \"smtp://u:hunter2@mail.example\"\n")
		text := must(t, program, "config", "check", good, "--drain", "9s")
		require.Contains(t, reportLines(text), "addr 127.0.0.1:81 "+good+":1")
		require.Contains(t, reportLines(text), "smtp (set) "+good+":3")
		require.Contains(t, reportLines(text), "drain 9s flag")
		var report struct {
			OK       bool
			Problems []any
			Settings []struct {
				Key, Value string
				Origin     struct {
					Kind, File, Name string
					Line             int
				}
			}
		}
		asJSON := must(t, program, "config", "check", good, "--drain", "9s", "--json")
		require.NoError(t, json.Unmarshal([]byte(asJSON), &report), asJSON)
		require.True(t, report.OK)
		require.Greater(t, len(report.Settings), 20)
		for _, s := range report.Settings {
			if s.Value == "" {
				s.Value = "-"
			}
			from := cmp.Or(s.Origin.Name, s.Origin.Kind)
			if s.Origin.File != "" {
				from = fmt.Sprintf("%s:%d", s.Origin.File, s.Origin.Line)
			}
			require.Contains(t, reportLines(text), s.Key+" "+s.Value+" "+from, "the same as JSON")
		}
		require.NotContains(t, text+asJSON, "hunter2")

		bad := file("bad.cue", "adr: \":80\"\ndemo: 1\n")
		text, err := run(t, program, "config", "check", bad)
		require.Equal(t, 1, exit(t, err))
		asJSON, err = run(t, program, "config", "check", bad, "--json")
		require.Equal(t, 1, exit(t, err))
		var output struct {
			OK       bool
			Problems []struct {
				Line    int
				Name    string
				Message string
			}
		}
		require.NoError(t, json.Unmarshal([]byte(asJSON), &output), asJSON)
		require.False(t, output.OK)
		require.Len(t, output.Problems, 2)
		for i, p := range output.Problems {
			require.Equal(t, i+1, p.Line)
			require.Contains(t, text, fmt.Sprintf("%s:%d:1: %s: %s", bad, p.Line, p.Name, p.Message))
		}
	})
}

func TestDoctorCommand(t *testing.T) {
	t.Parallel()
	program := wattle(t, "0.1.0")
	t.Run("11-doctor", func(t *testing.T) {
		place, _ := newInstallation(t, program)
		disk := regexp.MustCompile(`(?m)^\w+ +files .*\n( +do: .*\n)?`) // whether the disk of this machine is nearly full differs between runs
		for _, c := range []struct {
			more []string
			want int
		}{{nil, 0}, {[]string{"--addr", "127.0.0.1:99999"}, 1}} {
			args := append(append([]string{"doctor"}, place...), c.more...)
			text, err := run(t, program, args...)
			require.Equal(t, c.want, exit(t, err), text)
			asJSON, err := run(t, program, append(args, "--json")...)
			require.Equal(t, c.want, exit(t, err))
			var report struct {
				OK       bool
				Findings []struct{ Check, State, Detail, Do string }
			}
			require.NoError(t, json.Unmarshal([]byte(asJSON), &report), asJSON)
			require.Equal(t, c.want == 0, report.OK)
			require.NotEmpty(t, report.Findings)
			var want []string
			for _, f := range report.Findings {
				if f.Check == "files" {
					continue
				}
				want = append(want, f.State+" "+f.Check+" "+f.Detail)
				if f.Do != "" {
					want = append(want, "do: "+f.Do)
				}
			}
			varies := regexp.MustCompile(`\d{4}-\d\d-\d\dT\S+`) // the time differs between runs
			lines := reportLines(disk.ReplaceAllString(text, ""))
			require.Greater(t, len(lines), len(want))
			for i, line := range lines[:len(want)] {
				require.Equal(t, varies.ReplaceAllString(want[i], ""), varies.ReplaceAllString(line, ""), "the same as JSON")
			}
		}
	})
}

// entries adds two entries to the log of a label, half an hour before and half an hour after the start of a day in UTC.
func entries(t *testing.T, data, label string) {
	t.Helper()
	s, err := store.Open(t.Context(), store.Config{Dir: data})
	require.NoError(t, err)
	now := &clock.Clock{}
	log := audit.New(audit.Deps{Store: s, Clock: now, Names: func(context.Context, bun.IDB, string, []string) (map[string]string, error) {
		return nil, nil
	}})
	for _, at := range []time.Time{time.Date(2026, 11, 19, 23, 30, 0, 0, time.UTC), time.Date(2026, 11, 20, 0, 30, 0, 0, time.UTC)} {
		now.Set(at)
		require.NoError(t, log.Add(t.Context(), audit.Entry{Label: label, Action: "staff.customer_viewed", Role: audit.Staff, Actor: "sam"}))
	}
	require.NoError(t, s.Close())
}

func TestAuditCommands(t *testing.T) {
	t.Parallel()
	program := wattle(t, "0.1.0")
	place, data := newInstallation(t, program)
	entries(t, data, "acme")
	entries(t, data, "gone")
	export := func(label string, more ...string) (string, error) {
		return run(t, program, append(append([]string{"audit", "export", "--label", label}, more...), place...)...)
	}
	t.Run("11-audit-export", func(t *testing.T) {
		for label, want := range map[string]string{"acme": "2 entries, 1 to 2,", "gone": "1 entry, 2 to 2,"} {
			out, err := export(label, "--from", "2026-11-20", "--to", "2026-11-20")
			require.NoError(t, err)
			require.Contains(t, out, want, "days of the time zone of the label; of UTC when the label is gone")
		}
	})
	t.Run("11-audit-export-file,11-audit-export-verified", func(t *testing.T) {
		name := filepath.Join(t.TempDir(), "audit.ndjson")
		_, err := export("acme", "--output", name)
		require.NoError(t, err)
		whole, err := os.ReadFile(name)
		require.NoError(t, err)
		out, err := export("gone", "--output", name)
		require.Equal(t, 1, exit(t, err))
		require.Contains(t, out, "file exists")
		kept, err := os.ReadFile(name)
		require.NoError(t, err)
		require.Equal(t, string(whole), string(kept), "it is not overwritten")
		nowhere := []string{"--data", filepath.Join(t.TempDir(), "none"), "--labels", filepath.Join(t.TempDir(), "none")}
		require.Contains(t, must(t, program, append([]string{"audit", "verify", "--file", name}, nowhere...)...), "2 entries, 1 to 2,")
		require.NoError(t, os.WriteFile(name, []byte(strings.Replace(string(whole), `"sam"`, `"tom"`, 1)), 0o600))
		out, err = run(t, program, append([]string{"audit", "verify", "--file", name}, nowhere...)...)
		require.Equal(t, 1, exit(t, err))
		require.Contains(t, out, "label acme, entry 1: was changed")

		s, err := store.Open(t.Context(), store.Config{Dir: data})
		require.NoError(t, err)
		for _, statement := range []string{"DROP TRIGGER audit_no_update", "UPDATE audit SET reason = 'x' WHERE label_key = 'acme' AND seq = 2"} {
			_, err := s.DB().ExecContext(t.Context(), statement)
			require.NoError(t, err)
		}
		require.NoError(t, s.Close())
		out, err = export("acme")
		require.Equal(t, 1, exit(t, err))
		require.Contains(t, out, "label acme, entry 2: was changed\n")
		require.Equal(t, 2, strings.Count(out, `"action":"staff.customer_viewed"`), "what was changed is exported too")
		_, err = export("gone")
		require.NoError(t, err, "another label is not concerned")
	})
}

func TestBackupCommands(t *testing.T) {
	t.Parallel()
	program := wattle(t, "0.1.0")
	place, data := newInstallation(t, program)
	t.Run("11-backup-verified", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "backup.tar.zst")
		began := time.Now().Add(-time.Second)
		require.Contains(t, must(t, program, append([]string{"backup", file}, place...)...), file+": ")
		last, found, err := backup.Last(data)
		require.NoError(t, err)
		require.True(t, found)
		require.Equal(t, file, last.File)
		require.WithinRange(t, last.At, began, time.Now())
		require.Contains(t, must(t, program, append([]string{"doctor"}, place...)...), file, "wattle doctor reads it")
		_, err = run(t, program, append([]string{"backup", file}, place...)...)
		require.Error(t, err, "a file is never overwritten")

		// A label file whose name is not valid UTF-8 gets another name in the file list of the backup, so the backup cannot be restored.
		odd := filepath.Join(place[1], "acme", "caf\xe9.txt")
		require.NoError(t, os.WriteFile(odd, []byte("text"), 0o600))
		out, err := run(t, program, append([]string{"backup", filepath.Join(t.TempDir(), "odd.tar.zst")}, place...)...)
		require.Equal(t, 1, exit(t, err), "it is read again before it is called a backup")
		require.Contains(t, out, backup.ErrDamaged.Error())
		require.NotContains(t, out, "entries, databases of")
		unchanged, _, err := backup.Last(data)
		require.NoError(t, err)
		require.Equal(t, last, unchanged)
		require.NoError(t, os.Remove(odd))

		bad := filepath.Join(t.TempDir(), "bad.dump")
		require.NoError(t, os.WriteFile(bad, []byte("-- PostgreSQL database dump"), 0o600))
		out, err = run(t, program, "backup", "--record", bad, "--data", data)
		require.Equal(t, 1, exit(t, err))
		require.Contains(t, out, backup.ErrDamaged.Error())
		same, _, err := backup.Last(data)
		require.NoError(t, err)
		require.Equal(t, last, same, "what is damaged is not recorded")

		pgDump, err := exec.LookPath("pg_dump")
		if err != nil {
			t.Skip("pg_dump is not installed")
		}
		dump := filepath.Join(t.TempDir(), "good.dump")
		made, err := exec.CommandContext(t.Context(), pgDump, "--format=custom", "--file="+dump, storetest.PostgresConfig(t).URL).CombinedOutput()
		require.NoError(t, err, string(made))
		at := time.Date(2026, 11, 20, 3, 0, 0, 0, time.UTC)
		require.NoError(t, os.Chtimes(dump, at, at))
		require.Equal(t, dump+" is recorded\n", must(t, program, "backup", "--record", dump, "--data", data))
		same, _, err = backup.Last(data)
		require.NoError(t, err)
		require.Equal(t, backup.Record{At: at, File: dump}, same)
	})
}

func TestEstimatedValues(t *testing.T) {
	t.Parallel()
	program := wattle(t, "0.1.0")
	place, _ := newInstallation(t, program)
	t.Run("11-import-estimated", func(t *testing.T) {
		cue := filepath.Join(place[1], "acme", "label.cue")
		text, err := os.ReadFile(cue)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(cue, append(text, "\nmodules: {billing: {}, usage: {}}\n"...), 0o600))
		file := filepath.Join(t.TempDir(), "nem12.csv")
		require.NoError(t, os.WriteFile(file, []byte("100,NEM12,200506081149,UNITEDDP,NEMMCO\n200,NEM1201009,E1B1,1,E1,N1,01009,kWh,30,20050610\n"+
			"300,20240101"+strings.Repeat(",0.5", 48)+",E52,,,20240102120025,\n"), 0o600))
		out, err := run(t, program, append([]string{"import", "--label", "acme", "--format", "nem12", "--set", "NEM1201009=871687120000000011", file},
			place...)...)
		require.Contains(t, fmt.Sprint(out, err), "\n24 values of intervals are estimated according to the file; interval records do not keep that\n",
			"two half hours are one value")
	})
}

// Nothing is stored while an upgrade is unfinished: TestTrial has a database of each release.
func TestHeldData(t *testing.T) {
	t.Parallel()
	program := wattle(t, "0.1.0")
	place, data := newInstallation(t, program)
	const unfinished = "is not finished, and nothing else may use this data until it is: run `/usr/bin/wattle.previous upgrade --continue`"
	t.Run("11-backup-hold,11-doctor-upgrade", func(t *testing.T) {
		require.NoError(t, hold.Set(data, hold.Hold{Token: "secret", Program: "/usr/bin/wattle.previous"}))
		file := filepath.Join(t.TempDir(), "backup.tar.zst")
		for _, c := range [][]string{{"backup", file}, {"backup", "--record", file}, {"backup", file, "--database", "postgres://127.0.0.1:1/wattle"},
			{"doctor"}} {
			out, err := run(t, program, append(c, place...)...)
			require.Equal(t, 1, exit(t, err), "%v: %s", c, out)
			require.Contains(t, out, unfinished, "%v", c)
			if c[0] == "backup" {
				require.Regexp(t, `^wattle: an upgrade of \S+ is not finished, [^\n]*\n$`, out, "%v prints one sentence and nothing else", c)
			}
		}
		require.NoFileExists(t, file)
		_, isRecorded, err := backup.Last(data)
		require.NoError(t, err)
		require.False(t, isRecorded)
		require.NoError(t, hold.Release(data))
		must(t, program, append([]string{"backup", file}, place...)...)
		must(t, program, append([]string{"doctor"}, place...)...)
	})
	t.Run("11-upgrade-hold", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "relation.ndjson")
		require.NoError(t, os.WriteFile(file, []byte(`{"debtor_number":"1"}`+"\n"), 0o600))
		commands := [][]string{{"serve", "--addr", "127.0.0.1:0"}, {"migrate"}, {"import", "--label", "acme", file}, {"staff", "list", "--label", "acme"},
			{"audit", "verify"}}
		for _, isHeld := range []bool{true, false} {
			if isHeld {
				require.NoError(t, hold.Set(data, hold.Hold{Token: "secret", Program: "/usr/bin/wattle.previous"}))
			} else {
				require.NoError(t, hold.Release(data))
				commands = commands[1:] // a portal would keep running
			}
			for _, c := range commands {
				out, err := run(t, program, append(c, place...)...)
				require.Equal(t, isHeld, strings.Contains(fmt.Sprint(out, err), "run `/usr/bin/wattle.previous upgrade --continue`"), "%v: %s %v",
					c, out, err)
				require.Equal(t, map[bool]int{true: 1, false: 0}[isHeld], exit(t, err), "%v: %s", c, out)
			}
		}
	})
}

func TestKindCommands(t *testing.T) {
	t.Parallel()
	program := wattle(t, "0.1.0")
	t.Run("11-import-schema,11-import-template", func(t *testing.T) {
		kinds := app.Kinds(modules.All)
		require.Contains(t, kinds, "relation", "of a module")
		require.Contains(t, kinds, "account", "of core")
		for _, name := range []string{"account", "relation", "invoice", "market_order"} { // package records tests the others
			k := kinds[name]
			for command, text := range map[string]func(time.Time) ([]byte, error){"schema": k.Schema, "template": k.Template} {
				want, err := text(time.Now())
				require.NoError(t, err)
				assert.Equal(t, string(want), must(t, program, "import", command, name), "import %s %s", command, name)
			}
		}
		for _, command := range []string{"schema", "template"} {
			out, err := run(t, program, "import", command, "nothing")
			require.Equal(t, 1, exit(t, err))
			require.Contains(t, out, `there is no record kind "nothing"; there are: `+strings.Join(slices.Sorted(maps.Keys(kinds)), ", ")+"\n")
		}
	})
}
