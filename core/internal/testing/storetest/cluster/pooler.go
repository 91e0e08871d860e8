package cluster

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// ErrNoPooler is returned when PgBouncer is not installed.
var ErrNoPooler = errors.New("PgBouncer is not installed (Debian: apt-get install pgbouncer)")

// Pooler is a running PgBouncer in transaction mode.
type Pooler struct {
	address string
	stop    io.Closer
	shell   *exec.Cmd
}

// StartPooler starts PgBouncer in transaction mode in front of a server. Each database has size connections, fewer than a portal opens, so
// that successive transactions use different sessions.
func StartPooler(server string, size int) (*Pooler, error) {
	bin, err := exec.LookPath("pgbouncer")
	if err != nil {
		if bin = "/usr/sbin/pgbouncer"; exec.Command(bin, "--version").Run() != nil {
			return nil, ErrNoPooler
		}
	}
	to, err := pgx.ParseConfig(server)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(socketParent(), "wattle-pool-")
	if err != nil {
		return nil, err
	}
	as, err := giveToUser(dir)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	address := free.Addr().String()
	_ = free.Close() // PgBouncer now uses the port
	_, port, _ := net.SplitHostPort(address)
	ini := filepath.Join(dir, "pgbouncer.ini")
	text := fmt.Sprintf("[databases]\n* = host=%s port=%d user=%s\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = %s\nunix_socket_dir =\nauth_type = any\n"+
		"pool_mode = transaction\ndefault_pool_size = %d\nmax_client_conn = 500\n", to.Host, to.Port, to.User, port, size)
	if err := os.WriteFile(ini, []byte(text), 0o644); err != nil { // another user must be able to read it
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	// PgBouncer stops like the server: when this process closes the input or dies.
	script := `"$1" -q "$2" <"/dev/null" >"$3/log" 2>&1 & pid=$!
		trap '' INT TERM HUP
		cat >/dev/null
		kill -KILL $pid 2>/dev/null
		wait $pid 2>/dev/null
		rm -rf "$3"`
	cmd := exec.Command("/bin/sh", "-c", script, "sh", bin, ini, dir)
	cmd.Dir = dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Credential: as}
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	if err := cmd.Start(); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	p := &Pooler{address, in, cmd}
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		c, err := net.Dial("tcp", address)
		if err == nil {
			_ = c.Close() // PgBouncer is listening
			return p, nil
		}
		if time.Now().After(deadline) {
			log, _ := os.ReadFile(filepath.Join(dir, "log"))
			return nil, errors.Join(fmt.Errorf("cluster: pgbouncer: %w: %s", err, log), p.Stop())
		}
	}
}

// URL returns the URL of a database of the server through the pooler.
func (p *Pooler) URL(database string) (string, error) {
	u, err := url.Parse(database)
	if err != nil {
		return "", err
	}
	q := u.Query()
	user := q.Get("user")
	for _, parameter := range []string{"host", "port", "user"} {
		q.Del(parameter)
	}
	if user != "" {
		u.User = url.User(user)
	}
	u.Host, u.RawQuery = p.address, q.Encode()
	return u.String(), nil
}

// Stop stops the pooler immediately.
func (p *Pooler) Stop() error {
	return errors.Join(p.stop.Close(), p.shell.Wait())
}
