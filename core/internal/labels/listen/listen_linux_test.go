package listen

import (
	"go/build"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/fsnotify/fsnotify"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

func TestFileSystemsThatReport(t *testing.T) {
	t.Run("11-labels-listen-fallback", func(t *testing.T) {
		for name, magic := range map[string]int64{"NFS": unix.NFS_SUPER_MAGIC, "SMB": unix.SMB2_SUPER_MAGIC, "CIFS": unix.CIFS_SUPER_MAGIC,
			"FUSE": unix.FUSE_SUPER_MAGIC, "9P": unix.V9FS_MAGIC, "Ceph": unix.CEPH_SUPER_MAGIC, "unknown": 1} {
			require.False(t, isReporting(magic), name)
		}
		require.True(t, isReporting(unix.EXT4_SUPER_MAGIC))
		require.ErrorContains(t, reportsChanges("/proc"), "may not report changes")
		require.ErrorContains(t, limitReached(syscall.ENOSPC), "fs.inotify.max_user_watches")
		require.Equal(t, syscall.EACCES, limitReached(syscall.EACCES), "another error is not about watches")
	})
}

// Lost events may concern any folder, even a new one.
func TestLostEvents(t *testing.T) {
	t.Run("11-labels-listen-quiet", func(t *testing.T) {
		dir, err := filepath.EvalSymlinks(t.TempDir())
		require.NoError(t, err)
		file := filepath.Join(dir, "acme", "label.cue")
		require.NoError(t, os.Mkdir(filepath.Dir(file), 0o755))
		l, err := Watch(dir)
		require.NoError(t, err)
		require.NoError(t, l.watcher.Remove(filepath.Dir(file)))
		ended := make(chan error, 1)
		go func() { ended <- l.Run(t.Context()) }()
		l.watcher.Errors <- fsnotify.ErrEventOverflow
		require.Equal(t, map[string]bool{"": true}, <-l.Changed)
		require.NoError(t, os.WriteFile(file, []byte("{}"), 0o644))
		require.Equal(t, map[string]bool{"acme": true}, <-l.Changed)
		require.Empty(t, ended)
	})
}

// On another system than Linux nothing is listened to: the file that is compiled there says so for every folder.
func TestOtherSystems(t *testing.T) {
	t.Run("11-labels-listen-fallback", func(t *testing.T) {
		for _, system := range []string{"linux", "darwin", "windows", "freebsd"} {
			at := build.Default
			at.GOOS = system
			for file, want := range map[string]bool{"listen.go": true, "listen_linux.go": system == "linux", "listen_other.go": system != "linux"} {
				found, err := at.MatchFile(".", file)
				require.NoError(t, err)
				require.Equal(t, want, found, "%s on %s", file, system)
			}
		}
		text, err := os.ReadFile("listen_other.go")
		require.NoError(t, err)
		require.Contains(t, string(text), `func reportsChanges(string) error { return fmt.Errorf("%s is not Linux", runtime.GOOS) }`)
	})
}
