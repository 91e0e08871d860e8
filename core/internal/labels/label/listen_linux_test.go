package label

import (
	"bytes"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/labels/listen"
)

// lines is a log for concurrent use.
type lines struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// watched opens a folder and watches it; it scans the folders at the given interval.
func watched(t *testing.T, dir string, interval time.Duration) (*Store, *lines) {
	t.Helper()
	s, log := open(t, dir), &lines{}
	s.interval = interval
	go s.Watch(t.Context(), slog.New(slog.NewTextHandler(log, nil)))
	return s, log
}

func TestChangesAreListenedTo(t *testing.T) {
	t.Run("11-labels-listen", func(t *testing.T) {
		dir := folder(t, map[string]string{"acme": withPage, "b": ""})
		for _, locale := range []string{"nl", "en"} {
			put(t, dir, "acme/pages/terms."+locale+".md", "Text.\n")
		}
		s, log := watched(t, dir, time.Hour) // so that only events report changes
		require.Len(t, s.All(), 2, texts(s.Problems()))
		text := source("acme", withPage)
		rename := func(n string) string { return strings.Replace(text, "Label acme", n, 1) }
		file := filepath.Join(dir, "acme", "label.cue")
		name := func(want string) {
			t.Helper()
			eventually(t, patience, want, func() bool { return s.ByKey("acme").Info.Name == want })
		}
		for _, n := range []string{"Once", "Twice"} {
			put(t, dir, "acme/label.cue", rename(n))
			name(n)
		}
		require.NoError(t, os.WriteFile(file+".tmp", []byte(rename("By rename")), 0o644))
		require.NoError(t, os.Rename(file+".tmp", file))
		name("By rename")
		require.NoError(t, os.Rename(file, file+"~"))
		eventually(t, patience, "moved away", func() bool { return strings.Contains(texts(s.Problems()), "acme/label.cue") })
		put(t, dir, "acme/label.cue", rename("Back"))
		name("Back")

		logo := s.ByKey("acme").AssetURL("logo")
		put(t, dir, "acme/assets/logo.svg", strings.Replace(drawing, "10z", "9z", 1))
		eventually(t, patience, "an asset", func() bool { return s.ByKey("acme").AssetURL("logo") != logo })
		title := func(want string) {
			t.Helper()
			eventually(t, patience, want, func() bool { return s.ByKey("acme").Messages["nl"]["account.title"] == want })
		}
		put(t, dir, "acme/messages/nl.json", `{"account.title": "In a new folder"}`)
		title("In a new folder")
		put(t, dir, "acme/messages/nl.json", `{"account.title": "Changed there"}`)
		title("Changed there")
		require.NoError(t, os.RemoveAll(filepath.Join(dir, "acme/messages")))
		title("")
		put(t, dir, "acme/pages/terms.nl.md", "Other text.\n")
		eventually(t, patience, "a page", func() bool { return strings.Contains(s.ByKey("acme").Page("terms").HTML["nl"].HTML, "Other") })

		put(t, dir, "c/assets/logo.svg", drawing)
		put(t, dir, "c/assets/favicon.svg", drawing)
		put(t, dir, "c/label.cue", source("c", ""))
		eventually(t, patience, "a new label", func() bool { return s.ByHost("c.localhost") != nil })
		put(t, dir, "c/label.cue", strings.Replace(source("c", ""), "Label c", "Changed", 1))
		eventually(t, patience, "a change of a new label", func() bool { return s.ByKey("c").Info.Name == "Changed" })
		put(t, dir, ".d/assets/logo.svg", drawing)
		put(t, dir, ".d/assets/favicon.svg", drawing)
		put(t, dir, ".d/label.cue", source("d", ""))
		require.NoError(t, os.Rename(filepath.Join(dir, ".d"), filepath.Join(dir, "d")))
		eventually(t, patience, "a label that was prepared", func() bool { return s.ByKey("d") != nil })
		put(t, dir, "d/assets/logo.svg", strings.Replace(drawing, "10z", "8z", 1))
		put(t, dir, "d/label.cue", source("d", "zone: \"Europe/Brussels\""))
		eventually(t, patience, "a change of a renamed folder", func() bool { return s.ByKey("d").Zone == "Europe/Brussels" })
		require.NoError(t, os.Rename(filepath.Join(dir, "d"), filepath.Join(dir, ".d")))
		eventually(t, patience, "a folder renamed away", func() bool { return strings.Contains(texts(s.Problems()), "d/label.cue") })
		require.NoError(t, os.RemoveAll(filepath.Join(dir, "c")))
		eventually(t, patience, "a removed folder", func() bool { return strings.Contains(texts(s.Problems()), "c/label.cue") })
		require.Empty(t, log.String())
	})
}

const withPage = `pages: [{slug: "terms", title: {nl: "X", en: "X"}}]`

func TestListeningIsQuiet(t *testing.T) {
	t.Run("11-labels-listen-quiet", func(t *testing.T) {
		for cost := time.Millisecond; cost < 10*time.Second; cost *= 7 {
			for _, thorough := range []bool{true, false} {
				require.LessOrEqual(t, float64(cost)/float64(cost+pause(cost, thorough, true)), .01)
			}
		}

		// A file that is changed through another path, outside the labels folder, causes no event in the labels folder.
		dir := folder(t, map[string]string{"acme": ""})
		outside := filepath.Join(t.TempDir(), "label.cue")
		require.NoError(t, os.Link(filepath.Join(dir, "acme/label.cue"), outside))
		s, log := watched(t, dir, Interval)
		for _, want := range []string{"Unreported", "Again"} {
			require.NoError(t, os.WriteFile(outside, []byte(strings.Replace(source("acme", ""), "Label acme", want, 1)), 0o644))
			eventually(t, patience, want, func() bool { return s.ByKey("acme").Info.Name == want })
		}
		require.Empty(t, log.String())
	})
}

const reported = "changes of labels are not reported to the portal"

func TestPollingWhereNothingIsReported(t *testing.T) {
	t.Run("11-labels-listen-fallback", func(t *testing.T) {
		for cost := time.Millisecond; cost < 10*time.Second; cost *= 7 {
			for _, thorough := range []bool{true, false} {
				require.Less(t, pause(cost, thorough, false), pause(cost, thorough, true)/5, "many times more often")
			}
		}
		for name, link := range map[string]func(t *testing.T, dir string){
			"label.cue": func(t *testing.T, dir string) { moveAndLink(t, filepath.Join(dir, "acme", "label.cue")) },
			"assets":    func(t *testing.T, dir string) { moveAndLink(t, filepath.Join(dir, "acme", "assets")) },
			"an asset":  func(t *testing.T, dir string) { moveAndLink(t, filepath.Join(dir, "acme", "assets", "favicon.svg")) },
			"a label":   func(t *testing.T, dir string) { moveAndLink(t, filepath.Join(dir, "acme")) },
			"all":       moveAndLink,
		} {
			t.Run(name, func(t *testing.T) {
				dir := folder(t, map[string]string{"acme": "", "b": ""})
				if name != "an asset" { // links in a label must not lead out of it
					link(t, dir)
				}
				s, log := watched(t, dir, Interval)
				if name == "an asset" {
					put(t, dir, "b/label.cue", strings.Replace(source("b", ""), "Label b", "Listens", 1))
					eventually(t, patience, "listens", func() bool { return s.ByKey("b").Info.Name == "Listens" })
					require.Empty(t, log.String())
					link(t, dir)
				}
				eventually(t, patience, "said", func() bool { return strings.Contains(log.String(), listen.ErrLink.Error()) })
				for _, want := range []string{"First", "Second"} {
					put(t, dir, "b/label.cue", strings.Replace(source("b", ""), "Label b", want, 1))
					eventually(t, patience, want, func() bool { return s.ByKey("b").Info.Name == want })
				}
				require.Equal(t, 1, strings.Count(log.String(), reported), log.String())
			})
		}

		t.Run("no watches left", func(t *testing.T) {
			dir := folder(t, map[string]string{"acme": "", "b": ""})
			child := exec.Command(os.Args[0], "-test.run=^TestFewWatches$", "-test.v")
			child.Env = append(os.Environ(), "WATTLE_FEW_WATCHES="+dir)
			child.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER,
				UidMappings: []syscall.SysProcIDMap{{HostID: os.Geteuid(), Size: 1}},
				GidMappings: []syscall.SysProcIDMap{{HostID: os.Getegid(), Size: 1}}}
			out, err := child.CombinedOutput()
			if errors.Is(err, fs.ErrPermission) { // this container does not allow user namespaces
				t.Skip("this system has no user namespaces")
			}
			require.NoError(t, err, string(out))
			require.Contains(t, string(out), "--- PASS: TestFewWatches")
		})

		t.Run("again", func(t *testing.T) {
			dir := folder(t, map[string]string{"acme": ""})
			log := &lines{}
			w := watch{Store: open(t, dir), ctx: t.Context(), log: slog.New(slog.NewTextHandler(log, nil))}
			w.listen()
			require.NotNil(t, w.changed)
			require.False(t, w.follow(), "the same folder")
			require.NoError(t, os.Rename(dir, dir+".away")) // like unmounting the folder
			w.poll(<-w.ended)
			require.Nil(t, w.changed)
			require.True(t, w.follow())
			require.Nil(t, w.changed)
			require.NoError(t, os.Rename(dir+".away", dir))
			require.True(t, w.follow())
			require.NotNil(t, w.changed, "it is back")
			require.Empty(t, log.String(), "the labels folder has a problem of its own")

			link := filepath.Join(dir, "acme/messages")
			require.NoError(t, os.Symlink(t.TempDir(), link))
			err := <-w.ended
			require.ErrorIs(t, err, listen.ErrLink)
			w.poll(err)
			require.NoError(t, os.Remove(link))
			require.False(t, w.follow())
			w.tried = w.tried.Add(-2 * listenAgain)
			require.True(t, w.follow())
			require.NotNil(t, w.changed)
			w.stop()
		})
	})
}

// TestFewWatches tests a process that may watch only three folders.
func TestFewWatches(t *testing.T) {
	dir := os.Getenv("WATTLE_FEW_WATCHES")
	if dir == "" {
		t.Skip("part of TestPollingWhereNothingIsReported")
	}
	require.NoError(t, os.WriteFile("/proc/sys/user/max_inotify_watches", []byte("3"), 0))
	s, log := watched(t, dir, Interval)
	eventually(t, patience, "said", func() bool { return strings.Contains(log.String(), "fs.inotify.max_user_watches") })
	for _, want := range []string{"First", "Second"} {
		put(t, dir, "b/label.cue", strings.Replace(source("b", ""), "Label b", want, 1))
		eventually(t, patience, want, func() bool { return s.ByKey("b").Info.Name == want })
	}
	require.Equal(t, 1, strings.Count(log.String(), reported), log.String())
}

// moveAndLink moves a file or folder elsewhere and leaves a link in its place.
func moveAndLink(t *testing.T, path string) {
	t.Helper()
	elsewhere := filepath.Join(t.TempDir(), filepath.Base(path))
	require.NoError(t, os.Rename(path, elsewhere))
	require.NoError(t, os.Symlink(elsewhere, path))
}
