package doctor_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/operate/app"
	"github.com/wattle-portal/wattle/core/internal/operate/app/apptest"
	"github.com/wattle-portal/wattle/core/internal/operate/backup"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/operate/doctor"
	"github.com/wattle-portal/wattle/core/internal/operate/upgrade/hold"
	"github.com/wattle-portal/wattle/core/internal/plugins/pluginhost"
	"github.com/wattle-portal/wattle/core/internal/plugins/pluginhost/plugintest"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"

	"github.com/wattle-portal/wattle/core/internal/storage/store"
)

// patient returns the options for examining an installation without modules, on a disk with free space.
func patient(c config.Config) doctor.Options {
	fragments := append(app.Fragments(nil), label.Fragment{Demo: true})
	return doctor.Options{Config: c, Core: app.CoreMigrations(),
		Free: func(string) (free, total uint64, known bool) { return 50 << 30, 100 << 30, true },
		Vet:  func(context.Context) ([]label.Problem, error) { return label.Vet(c.Labels, fragments, nil) },
		Labels: func() ([]*label.Label, error) {
			s, err := label.Open(c.Labels, func() []label.Fragment { return fragments })
			if err != nil {
				return nil, err
			}
			return s.All(), s.Unreadable()
		},
		Plugins: func(ctx context.Context) ([]pluginhost.Status, error) {
			return app.CheckPlugins(ctx, c, nil, slog.New(slog.DiscardHandler))
		}}
}

// portal starts an installation without any problems.
func portal(t *testing.T, c *store.Config, change func(*config.Config)) *apptest.Server {
	t.Helper()
	o := apptest.Options{Store: c}
	if change != nil {
		change(&o.Config)
	}
	s := apptest.Start(t, o)
	require.NoError(t, backup.Note(s.Config.Data, backup.Record{At: time.Now().Add(-time.Hour), File: "b.tar.zst"}))
	return s
}

// of returns the findings of a check, and requires that each finding that is not ok says what to do.
func of(t *testing.T, o doctor.Options, check string) []doctor.Finding {
	t.Helper()
	r := doctor.Run(t.Context(), o)
	for _, f := range r.Findings {
		assert.Equal(t, f.State != doctor.OK, f.Do != "", "%+v", f)
		assert.NotContains(t, f.Detail+f.Do, "hunter2")
		assert.NotContains(t, f.Detail+f.Do, "\n")
	}
	return slices.DeleteFunc(r.Findings, func(f doctor.Finding) bool { return f.Check != check })
}

// finds requires that a check has exactly one finding, with the given state and text.
func finds(t *testing.T, o doctor.Options, check string, state doctor.State, detail string) doctor.Finding {
	t.Helper()
	found := of(t, o, check)
	require.Len(t, found, 1, "%+v", found)
	assert.Equal(t, state, found[0].State, "%+v", found[0])
	assert.Contains(t, found[0].Detail, detail)
	return found[0]
}

func TestAnInstallation(t *testing.T) {
	storetest.EachConfig(t, func(t *testing.T, c store.Config) {
		t.Run("11-doctor", func(t *testing.T) {
			s := portal(t, &c, nil)
			before := records(t, s)
			r := doctor.Run(t.Context(), patient(s.Config))
			require.True(t, r.OK, "%+v", r.Findings)
			require.Equal(t, before, records(t, s), "no record is changed")
			var checks []string
			for _, f := range r.Findings {
				if f.Do == "" || f.Check == "mail" || f.Check == "database" && strings.Contains(f.Detail, "superuser") {
					checks = append(checks, f.Check)
				}
			}
			assert.Equal(t, []string{"configuration", "upgrade", "database", "identity key", "clock", "labels", "plugins", "mail", "files", "proxy",
				"certificates", "backup"}, checks)

			var out bytes.Buffer
			broken := s.Config
			broken.Data, broken.Database = filepath.Join(t.TempDir(), "file"), ""
			require.NoError(t, os.WriteFile(broken.Data, nil, 0o600))
			r = doctor.Run(t.Context(), patient(broken))
			require.False(t, r.OK)
			r.Print(&out)
			assert.Regexp(t, `(?m)^ok       labels +2 labels in `, out.String())
			assert.Regexp(t, `(?m)^problem  files +the data folder cannot be used: .*\n +do: make the user`, out.String())
			assert.Regexp(t, `\d+ ok, \d+ warnings?, \d+ problems?\n$`, out.String())
			text, err := json.Marshal(r)
			require.NoError(t, err)
			assert.Contains(t, string(text), `{"ok":false,"findings":[{"check":"configuration","state":"ok","detail":`)

			r = doctor.ConfigReport([]config.Problem{{File: "w.cue", Line: 3, Column: 1, Name: "adr", Message: "there is no such setting"}})
			require.False(t, r.OK)
			assert.Equal(t, "w.cue:3:1: adr: there is no such setting", r.Findings[0].Detail)
		})
	})
}

// records returns the content of each table, except what the portal writes while it runs: its jobs, and the labels that it has served.
func records(t *testing.T, s *apptest.Server) map[string][]map[string]any {
	t.Helper()
	names, query := []string{}, "SELECT name FROM sqlite_schema WHERE type = 'table'"
	if s.Store.Engine() == store.Postgres {
		query = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
	}
	require.NoError(t, s.Store.Read().NewRaw(query).Scan(t.Context(), &names))
	require.Greater(t, len(names), 20)
	out := map[string][]map[string]any{}
	for _, name := range names {
		if name == "jobs_claims" || name == "label_versions" {
			continue
		}
		rows := []map[string]any{}
		require.NoError(t, s.Store.Read().NewSelect().Table(name).Scan(t.Context(), &rows), name)
		out[name] = rows
	}
	require.NotEmpty(t, out["identity_keyring"])
	return out
}

func TestKeyAndClock(t *testing.T) {
	storetest.EachConfig(t, func(t *testing.T, c store.Config) {
		s := portal(t, &c, nil)
		o := patient(s.Config)
		key := filepath.Join(s.Config.Data, "identity.key")
		t.Run("11-doctor-key", func(t *testing.T) {
			finds(t, o, "identity key", doctor.OK, "")
			right, err := os.ReadFile(key)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(key, bytes.Repeat([]byte("x"), 64), 0o600))
			finds(t, o, "identity key", doctor.Problem, "is not the one that this database was written with")
			require.NoError(t, os.WriteFile(key, []byte("short"), 0o600))
			finds(t, o, "identity key", doctor.Problem, "damaged")
			require.NoError(t, os.Remove(key))
			finds(t, o, "identity key", doctor.Problem, "lost")
			require.NoFileExists(t, key, "it is not made")
			require.NoError(t, os.WriteFile(key, right, 0o600))
			_, err = s.Key.Rotate(t.Context(), s.Resealers()...)
			require.NoError(t, err)
			assert.Contains(t, finds(t, o, "identity key", doctor.Warning, "still accepted").Do, "--finish")
		})
		t.Run("11-doctor-clock", func(t *testing.T) {
			finds(t, o, "clock", doctor.OK, "")
			moved := o
			if c.URL != "" {
				for shift, want := range map[time.Duration]doctor.State{1500 * time.Millisecond: doctor.OK, 3 * time.Second: doctor.Problem} {
					moved.Now = func() time.Time { return time.Now().Add(shift) }
					finds(t, moved, "clock", want, "differ by ")
				}
			}
			moved.Now = func() time.Time { return time.Now().Add(-24 * time.Hour) }
			finds(t, moved, "clock", doctor.Problem, "before the identity key of the database was made")
			moved.Now, moved.CommitTime = nil, time.Now().Add(time.Hour)
			finds(t, moved, "clock", doctor.Problem, "before this program was made")
		})
	})
}

func TestUnfinishedUpgrade(t *testing.T) {
	storetest.EachConfig(t, func(t *testing.T, c store.Config) {
		t.Run("11-doctor-upgrade", func(t *testing.T) {
			o := patient(portal(t, &c, nil).Config)
			finds(t, o, "upgrade", doctor.OK, "none is unfinished")
			require.NoError(t, hold.Set(o.Config.Data, hold.Hold{Token: "secret", Program: "/usr/bin/wattle.previous"}))
			finds(t, o, "upgrade", doctor.Problem, "an upgrade of "+o.Config.Data+" is not finished, and nothing else may use this data until it "+
				"is: run `/usr/bin/wattle.previous upgrade --continue` with the same configuration")
			require.False(t, doctor.Run(t.Context(), o).OK)
			finds(t, o, "database", doctor.Warning, "it was not opened")
			finds(t, o, "identity key", doctor.Warning, "the database was not read")
			require.NoError(t, os.WriteFile(filepath.Join(o.Config.Data, hold.Folder, "hold.json"), []byte("{"), 0o600))
			finds(t, o, "upgrade", doctor.Problem, "hold.json")
			finds(t, o, "database", doctor.Warning, "it was not opened")
			require.NoError(t, hold.Release(o.Config.Data))
			require.True(t, doctor.Run(t.Context(), o).OK)
		})
	})
}

func TestLabelsAndPlugins(t *testing.T) {
	s := portal(t, nil, nil)
	t.Run("11-doctor-labels", func(t *testing.T) {
		finds(t, patient(s.Config), "labels", doctor.OK, "2 labels")
		file := filepath.Join(s.Config.Labels, "beta", "label.cue")
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(file, append(text, "\nkinds: 3\n"...), 0o600))
		lines := bytes.Count(text, []byte("\n")) + 2
		finds(t, patient(s.Config), "labels", doctor.Problem, fmt.Sprintf("beta/label.cue:%d:", lines))
		require.NoError(t, os.WriteFile(file, append(text, "\nkinds: 3\nzones: 4\n"...), 0o600))
		require.NoError(t, os.MkdirAll(filepath.Join(s.Config.Labels, "alpha", "messages"), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(s.Config.Labels, "alpha", "messages", "nl.json"), []byte("{"), 0o600))
		problems, err := patient(s.Config).Vet(t.Context())
		require.NoError(t, err)
		require.GreaterOrEqual(t, len(problems), 3, "%v", problems)
		found := of(t, patient(s.Config), "labels")
		require.Len(t, found, len(problems))
		for i, p := range problems {
			assert.Equal(t, strings.Join(strings.Fields(p.String()), " "), found[i].Detail)
			assert.Regexp(t, `^(alpha|beta)/\S+:\d+:`, found[i].Detail)
		}
		c := s.Config
		c.Labels = filepath.Join(t.TempDir(), "nowhere")
		for _, f := range of(t, patient(c), "labels") {
			assert.Equal(t, doctor.Problem, f.State, "%+v", f)
		}
	})
	t.Run("11-doctor-plugins", func(t *testing.T) {
		c := s.Config
		c.Plugins = t.TempDir()
		plugintest.Write(t, c.Plugins, plugintest.Plugin{NoBinary: true})
		finds(t, patient(c), "plugins", doctor.Problem, "tide: ")
		plugintest.Write(t, c.Plugins, plugintest.Plugin{Key: "ebb", NoBinary: true})
		listed, err := patient(c).Plugins(t.Context())
		require.NoError(t, err)
		require.Len(t, listed, 2)
		examined := regexp.MustCompile(`\S+/data/installed/`) // plugins are examined in a temporary folder, whose name differs each time
		for i, f := range of(t, patient(c), "plugins") {
			assert.Equal(t, doctor.Problem, f.State)
			assert.NotEmpty(t, listed[i].Detail)
			want := fmt.Sprintf("%s: %s: %s", listed[i].Folder, listed[i].State, listed[i].Detail)
			assert.Equal(t, examined.ReplaceAllString(want, ""), examined.ReplaceAllString(f.Detail, ""), "as wattle plugins list")
		}
		require.NoError(t, os.RemoveAll(filepath.Join(c.Plugins, "ebb")))
		require.NoError(t, pluginhost.Disable(c.Plugins, "tide"))
		assert.Contains(t, finds(t, patient(c), "plugins", doctor.Warning, "disabled").Do, "wattle plugins enable tide")
		c.Plugins = filepath.Join(c.Plugins, "nowhere")
		finds(t, patient(c), "plugins", doctor.Problem, "nowhere")
	})
}

func TestFilesAndBackup(t *testing.T) {
	s := portal(t, nil, nil)
	t.Run("11-doctor-files", func(t *testing.T) {
		finds(t, patient(s.Config), "files", doctor.OK, "has no files")
		require.NoError(t, s.Files.Put(t.Context(), "alpha", "a.pdf", bytes.NewReader([]byte("%PDF-1.7\n"))))
		finds(t, patient(s.Config), "files", doctor.OK, "has files")
		left, err := filepath.Glob(filepath.Join(s.Config.Data, ".wattle-doctor-*"))
		require.NoError(t, err)
		require.Empty(t, left)
		o := patient(s.Config)
		o.Free = func(string) (uint64, uint64, bool) { return 100 << 20, 100 << 30, true }
		finds(t, o, "files", doctor.Warning, "has 100 MiB left of 102400")
		c := s.Config
		c.Files = filepath.Join(t.TempDir(), "nowhere")
		finds(t, patient(c), "files", doctor.Problem, "nowhere")
		c.Files = "s3://papers?region=eu-west-1&endpoint=http://127.0.0.1:1&path-style=true"
		t.Setenv("AWS_ACCESS_KEY_ID", "x")
		t.Setenv("AWS_SECRET_ACCESS_KEY", "hunter2")
		finds(t, patient(c), "files", doctor.Problem, "cannot be listed")
		c = s.Config
		c.Data = filepath.Join(t.TempDir(), "nowhere")
		finds(t, patient(c), "files", doctor.Warning, "there is no data folder")
		require.NoDirExists(t, c.Data)
		require.NoError(t, os.WriteFile(c.Data, nil, 0o600))
		c.Files = t.TempDir()
		finds(t, patient(c), "files", doctor.Problem, "the data folder cannot be used")
	})
	t.Run("11-doctor-backup", func(t *testing.T) {
		finds(t, patient(s.Config), "backup", doctor.OK, "1h0m0s ago")
		require.NoError(t, backup.Note(s.Config.Data, backup.Record{At: time.Now().Add(-50 * time.Hour), File: "b"}))
		finds(t, patient(s.Config), "backup", doctor.Problem, "50h0m0s ago")
		o := patient(s.Config)
		o.MaxBackupAge = 50*time.Hour + time.Minute
		finds(t, o, "backup", doctor.OK, "50h0m0s ago")
		o.MaxBackupAge = 50*time.Hour - time.Minute
		finds(t, o, "backup", doctor.Problem, "50h0m0s ago")
		require.NoError(t, os.Remove(filepath.Join(s.Config.Data, "backup.json")))
		finds(t, o, "backup", doctor.Warning, "no verified backup is recorded")
		require.NoError(t, os.WriteFile(filepath.Join(s.Config.Data, "backup.json"), []byte("{"), 0o600))
		finds(t, o, "backup", doctor.Problem, "")
	})
}
