package upgrade

import (
	"archive/tar"
	"compress/gzip"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"

	"aead.dev/minisign"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/operate/about"
	"github.com/wattle-portal/wattle/core/internal/operate/upgrade/hold"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
)

// killed starts or continues an upgrade in a process that kills itself in a phase.
func (w *world) killed(t *testing.T, phase string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), w.Program, append([]string{"upgrade"}, args...)...)
	cmd.Env = append(w.Env, "TEST_KILL_AT="+phase)
	out, err := cmd.CombinedOutput()
	exit, ok := errors.AsType[*exec.ExitError](err)
	require.True(t, ok, "%v %s", err, out)
	require.Equal(t, syscall.SIGKILL, exit.Sys().(syscall.WaitStatus).Signal(), string(out))
}

func TestContinue(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: whole upgrades")
	}
	t.Parallel()
	t.Run("11-upgrade-continue", func(t *testing.T) {
		onBoth(t, func(t *testing.T, engine string) {
			for _, c := range []struct {
				phase string
				b     behavior
			}{
				{phasePrepared, behavior{}}, {phaseChanging, behavior{}}, {phaseStarting, behavior{}},
				{phaseChanging, behavior{Serve: "ends"}}, {phaseGoingBack, behavior{Migrate: "fails"}},
			} {
				t.Run(c.phase+c.b.Serve, func(t *testing.T) {
					w := installed(t, engine)
					o := w.with(t, c.b)
					w.killed(t, c.phase, "run", o.To)
					require.ErrorContains(t, Run(t.Context(), o), "is not finished: run `"+w.Program+
						".previous upgrade --continue` with the same configuration")
					other := w.Options
					other.Config.Data = t.TempDir()
					require.ErrorContains(t, Continue(t.Context(), other), "use the configuration that the upgrade began with")
					err := Continue(t.Context(), w.Options)
					if c.b == (behavior{}) {
						require.NoError(t, err)
						w.isNew(t)
						require.ErrorContains(t, Continue(t.Context(), w.Options), "there is nothing to continue")
						return
					}
					require.ErrorContains(t, err, "wattle 0.1.0 and its data are back")
					w.requireUnchanged(t)
					require.ErrorIs(t, Continue(t.Context(), w.Options), errNoUpgrade)
				})
			}
		})
	})
}

// The rollback is killed at any moment, and each of its steps can be repeated.
func TestWayBackIsRepeated(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: whole upgrades")
	}
	t.Parallel()
	t.Run("11-upgrade-continue", func(t *testing.T) {
		onBoth(t, func(t *testing.T, engine string) {
			w := installed(t, engine)
			w.killed(t, phaseGoingBack, "run", w.with(t, behavior{Migrate: "fails"}).To)
			j, err := readJournal(w.Program)
			require.NoError(t, err)
			work := filepath.Join(j.Data, hold.Folder, j.Work)
			for range 2 {
				require.NoError(t, Step{Name: StepBack, Work: j.Work}.Run(t.Context(), w.Config))
			}
			if engine == "sqlite" { // as if killed between the two moves
				require.NoError(t, os.Remove(filepath.Join(w.Config.Data, "wattle.db")))
			}
			require.Error(t, Continue(t.Context(), w.Options))
			w.requireUnchanged(t)
			if engine == "sqlite" {
				failed := w.Config
				failed.Data = filepath.Join(work, failedName)
				all, isMigrated := rows(t, failed)
				assert.True(t, isMigrated, "the first copy is kept, not that of a repetition")
				assert.Equal(t, []int{2, 3, 1000}, all)
			}
		})
	})
}

func TestStuck(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: whole upgrades")
	}
	t.Parallel()
	t.Run("11-upgrade-continue", func(t *testing.T) {
		w := installed(t, "sqlite")
		w.killed(t, phaseGoingBack, "run", w.with(t, behavior{Migrate: "fails"}).To)
		j, err := readJournal(w.Program)
		require.NoError(t, err)
		file := filepath.Join(j.Data, hold.Folder, j.Work, beforeName)
		require.NoError(t, os.Rename(file, file+".away"))
		err = Continue(t.Context(), w.Options)
		require.ErrorIs(t, err, ErrStuck)
		require.ErrorContains(t, err, "Correct that, and run `"+w.Program+".previous upgrade --continue` with the same configuration")
		require.Error(t, hold.Check(w.Config.Data))
		require.NoError(t, os.Rename(file+".away", file))
		require.ErrorContains(t, Continue(t.Context(), w.Options), "are back")
		w.requireUnchanged(t)
	})
}

func TestHold(t *testing.T) {
	t.Run("11-upgrade-hold", func(t *testing.T) {
		dir := t.TempDir()
		require.NoError(t, hold.Check(dir))
		require.NoError(t, hold.Set(dir, hold.Hold{Token: "secret", Program: "/usr/bin/wattle.previous"}))
		require.ErrorContains(t, hold.Check(dir), "an upgrade of "+dir+
			" is not finished, and nothing else may use this data until it is: run `/usr/bin/wattle.previous upgrade --continue`")
		assert.False(t, hold.IsTrial(dir))
		t.Setenv(hold.Env, "secret")
		require.NoError(t, hold.Check(dir))
		assert.True(t, hold.IsTrial(dir))
		t.Setenv(hold.Env, "of another upgrade")
		require.Error(t, hold.Check(dir))
		require.NoError(t, hold.Release(dir))
		require.NoError(t, hold.Check(dir))
		assert.False(t, hold.IsTrial(dir))
		t.Setenv(hold.Env, "")
		require.NoError(t, os.WriteFile(filepath.Join(dir, hold.Folder, "hold.json"), []byte("{}"), 0o600))
		require.Error(t, hold.Check(dir), "a hold that cannot be read holds")
	})
}

func TestRefused(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: whole upgrades")
	}
	t.Parallel()
	w := installed(t, "sqlite")
	t.Run("11-upgrade-refused", func(t *testing.T) {
		archive := func(name string) string {
			file := filepath.Join(t.TempDir(), "wattle_0.2.0_linux.tar.gz")
			f, err := os.Create(file)
			require.NoError(t, err)
			z := gzip.NewWriter(f)
			r := tar.NewWriter(z)
			text, err := os.ReadFile(w.with(t, behavior{}).To)
			require.NoError(t, err)
			require.NoError(t, r.WriteHeader(&tar.Header{Name: name, Mode: 0o755, Size: int64(len(text))}))
			_, err = r.Write(text)
			require.NoError(t, errors.Join(err, r.Close(), z.Close(), f.Close()))
			return file
		}
		sums := func(file, content string, names ...string) string {
			if content == "" {
				text, err := os.ReadFile(file)
				require.NoError(t, err)
				content = fmt.Sprintf("%x  %s\n", sha256.Sum256(text), filepath.Base(file))
			}
			name := filepath.Join(filepath.Dir(file), "SHA256SUMS")
			require.NoError(t, os.WriteFile(name, []byte(content), 0o600))
			return name
		}
		public, private, err := minisign.GenerateKey(rand.Reader)
		require.NoError(t, err)
		other, _, err := minisign.GenerateKey(rand.Reader)
		require.NoError(t, err)
		key := func(k minisign.PublicKey) string {
			text, err := k.MarshalText()
			require.NoError(t, err)
			file := filepath.Join(t.TempDir(), "wattle.pub")
			require.NoError(t, os.WriteFile(file, text, 0o600))
			return file
		}
		script := filepath.Join(t.TempDir(), "script")
		require.NoError(t, os.WriteFile(script, []byte("hello"), 0o700))
		refused := func(says string, change func(o *Options)) {
			t.Helper()
			o := w.with(t, behavior{})
			change(&o)
			err := Run(t.Context(), o)
			require.ErrorContains(t, err, says)
			assert.NotContains(t, err.Error(), "\n")
			w.requireUnchanged(t)
			assert.NoFileExists(t, w.Program+previousSuffix)
			assert.NoDirExists(t, filepath.Join(w.Config.Data, hold.Folder), "nothing was begun")
		}
		to := func(b behavior) func(*Options) { return func(o *Options) { o.To = w.with(t, b).To } }
		refused("wattle 0.0.9 is older than the installed 0.1.0", to(behavior{Version: "0.0.9"}))
		refused("wattle 0.1.0 is installed already", to(previous))
		refused("wattle 0.2.0 is for plan9/", to(behavior{OS: "plan9"}))
		refused("wattle 3.0.0 upgrades data of 1.4.0 and later, and this is 0.1.0: upgrade to 1.4.0 first, and then to 3.0.0",
			to(behavior{Version: "3.0.0", UpgradesFrom: "1.4.0"}))
		refused("is not a Wattle program", func(o *Options) { o.To = script })
		refused("name the program, the .tar.gz or the .deb", func(o *Options) { o.To = "wattle.rpm" })
		refused("there is no program wattle in it", func(o *Options) { o.To = archive("README.md") })
		refused("is not the file of", func(o *Options) { o.Sums = sums(o.To, fmt.Sprintf("%064x  wattle\n", 1)) })
		refused("does not name wattle", func(o *Options) { o.Sums = sums(o.To, fmt.Sprintf("%064x  other\n", 1)) })
		refused("the checksums are not signed", func(o *Options) { o.Sums, o.Key = sums(o.To, ""), key(public) })
		sign := func(o *Options) {
			o.Sums = sums(o.To, "")
			text, err := os.ReadFile(o.Sums)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(o.Sums+".minisig", minisign.Sign(private, text), 0o600))
		}
		refused("was not signed with this key", func(o *Options) { sign(o); o.Key = key(other) })
		refused("--start and --stop go together", func(o *Options) { o.Start = "true" })
		o := w.with(t, behavior{})
		o.To = archive("wattle_0.2.0_linux_amd64/wattle")
		sign(&o)
		o.Key = key(public)
		require.NoError(t, Run(t.Context(), o), "a signed archive")
		w.isNew(t)
	})
}

// Data that is in use is refused, and the portal that uses it is not affected.
func TestInUse(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: whole upgrades")
	}
	t.Run("11-upgrade-refused", func(t *testing.T) {
		onBoth(t, func(t *testing.T, engine string) {
			w := installed(t, engine)
			s, err := store.Open(t.Context(), store.Config{Dir: w.Config.Data, URL: w.Config.Database})
			require.NoError(t, err)
			require.ErrorContains(t, Run(t.Context(), w.with(t, behavior{})),
				"the upgrade to 0.2.0 ended before it changed anything, and wattle 0.1.0 can be started: a portal ")
			require.NoError(t, s.Close())
			w.requireUnchanged(t)
		})
		t.Run("without psql", func(t *testing.T) {
			w := installed(t, "postgres")
			t.Setenv("PATH", t.TempDir())
			require.ErrorContains(t, Run(t.Context(), w.with(t, behavior{})), "pg_dump is missing: install the client programs of PostgreSQL")
			w.requireUnchanged(t)
		})
	})
}

// A trial ends when the upgrade process is killed, because its standard input is closed.
func TestInterrupted(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: whole upgrades")
	}
	t.Parallel()
	t.Run("11-upgrade-continue", func(t *testing.T) {
		w := installed(t, "sqlite")
		o := w.with(t, behavior{Serve: "never"})
		cmd := exec.CommandContext(t.Context(), w.Program, "upgrade", "run", o.To)
		cmd.Env = w.Env
		require.NoError(t, cmd.Start())
		require.Eventually(t, func() bool {
			j, err := readJournal(w.Program)
			return err == nil && j.Phase == phaseChanging
		}, 20*time.Second, 5*time.Millisecond)
		require.NoError(t, cmd.Process.Kill())
		require.Error(t, cmd.Wait())
		require.Error(t, hold.Check(w.Config.Data), "nothing starts on it")
		o.Healthy = time.Second
		require.ErrorContains(t, Continue(t.Context(), o), "are back")
		w.requireUnchanged(t)
	})
}

// The rule about the last twelve months requires versions that can be compared.
func TestUpgradesFrom(t *testing.T) {
	require.NoError(t, span(about.Program{Version: about.UpgradesFrom}, about.Program{Version: "9.0.0", UpgradesFrom: about.UpgradesFrom,
		OS: runtime.GOOS, Arch: runtime.GOARCH}))
}
