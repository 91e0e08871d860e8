// Package cluster starts a private PostgreSQL cluster for tests: in a temporary folder, on a Unix socket only, and without fsync except for
// measurements. A watchdog process stops the cluster and removes the folder when the process that started it ends for any reason.
package cluster

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/wattle-portal/wattle/core/internal/testing/storetest/installed"
)

// Env is the name of the environment variable with the URL of a test server. The user in the URL may create databases and roles.
const Env = installed.Env

// ErrMissing is returned when PostgreSQL's programs are not installed.
var ErrMissing = installed.ErrMissing

// Cluster is a running server.
type Cluster struct {
	URL      string // URL of the database "postgres", for a superuser
	dir      string
	stop     io.Closer
	watchdog *exec.Cmd
}

// Stop stops the server immediately and removes its folder.
func (c *Cluster) Stop() error {
	c.stop.Close()
	return c.watchdog.Wait()
}

// Log returns the file to which the server writes its log.
func (c *Cluster) Log() string { return filepath.Join(c.dir, "log") }

// Settings of a cluster. fast loses all data in a power failure; durable is PostgreSQL's default, as in an installation.
var (
	fast = []string{"-c", "fsync=off", "-c", "synchronous_commit=off", "-c", "full_page_writes=off", "-c", "wal_level=minimal", "-c",
		"max_wal_senders=0", "-c", "shared_buffers=64MB", "-c", "autovacuum_naptime=5min", "-c", "deadlock_timeout=20ms"}
	durable = []string{"-c", "fsync=on", "-c", "synchronous_commit=on", "-c", "full_page_writes=on"}
)

// Start creates and starts a cluster for tests.
func Start() (*Cluster, error) { return start(fast) }

// StartDurable creates and starts a cluster that writes each commit to disk, for measurements.
func StartDurable() (*Cluster, error) { return start(durable) }

func start(how []string) (*Cluster, error) {
	bin, err := installed.Binaries()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(socketParent(), "wattle-pg-")
	if err != nil {
		return nil, err
	}
	as, err := giveToUser(dir)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	data := filepath.Join(dir, "data")
	if err := run(as, dir, filepath.Join(bin, "initdb"), "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8",
		"--locale=C", "--no-sync", "--no-instructions"); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	// The shell stops the server when its standard input ends, which happens when this process closes the input or dies.
	script := `bin=$1 data=$2 dir=$3; shift 3
		"$bin/postgres" -D "$data" -k "$dir" -c listen_addresses= -c max_connections=300 -c log_min_messages=fatal -c dynamic_shared_memory_type=mmap "$@" \
			<"/dev/null" >"$dir/log" 2>&1 & pid=$!
		trap '' INT TERM HUP
		cat >/dev/null
		kill -QUIT $pid 2>/dev/null
		wait $pid 2>/dev/null
		rm -rf "$dir"`
	cmd := exec.Command("/bin/sh", append([]string{"-c", script, "sh", bin, data, dir}, how...)...)
	cmd.Dir = dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Credential: as} // a separate process group, so that Ctrl-C does not reach the server
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	if err := cmd.Start(); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	c := &Cluster{URL: "postgres:///postgres?host=" + dir + "&user=postgres", dir: dir, stop: in, watchdog: cmd}
	if err := c.ready(); err != nil {
		log, _ := os.ReadFile(filepath.Join(dir, "log"))
		return nil, errors.Join(fmt.Errorf("cluster: %w: %s", err, log), c.Stop())
	}
	return c, nil
}

func (c *Cluster) ready() (err error) {
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		var conn *pgx.Conn
		if conn, err = pgx.Connect(context.Background(), c.URL); err == nil {
			return conn.Close(context.Background())
		}
	}
	return err
}

// socketParent returns a folder with a short path, because a socket path is limited to about 100 characters.
func socketParent() string {
	if d := os.TempDir(); len(d) <= 40 {
		return d
	}
	return "/tmp"
}

// giveToUser changes the owner of the folder to an ordinary user if this process runs as root, because PostgreSQL refuses to run as root.
func giveToUser(dir string) (*syscall.Credential, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err := strconv.ParseUint(u.Uid, 10, 32)
		if err != nil {
			return nil, err
		}
		gid, err := strconv.ParseUint(u.Gid, 10, 32)
		if err != nil {
			return nil, err
		}
		return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, os.Chown(dir, int(uid), int(gid))
	}
	return nil, errors.New("cluster: running as root, and there is no user postgres or nobody to run PostgreSQL")
}

func run(as *syscall.Credential, dir, name string, args ...string) error {
	cmd := exec.Command(name, args...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr, cmd.Dir = &out, &out, dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: as}
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("cluster: %s: %w: %s", filepath.Base(name), err, out.String())
	}
	return nil
}
