//go:build linux

package cluster_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// server is a program that runs for the test and is killed however the test's process ends.
type server struct {
	name  string
	args  []string
	log   string
	as    *syscall.Credential
	again time.Duration // delay before a restart when it exits by itself, as for a service; 0: no restart

	mu    sync.Mutex
	cmd   *exec.Cmd // nil: it was stopped
	ended chan struct{}
	exits int // how often it exited by itself
}

func (s *server) start() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.launch()
}

func (s *server) launch() error {
	out, err := os.OpenFile(s.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer func() { _ = out.Close() }() // the process has its own handle
	cmd, ended := exec.Command(s.args[0], s.args[1:]...), make(chan struct{})
	cmd.Stdout, cmd.Stderr, cmd.Dir = out, out, filepath.Dir(s.log)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: s.as, Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		return err
	}
	s.cmd, s.ended = cmd, ended
	go func() {
		_ = cmd.Wait()
		close(ended)
		s.exited(cmd)
	}()
	return nil
}

// exited records that a process exited by itself, and starts it again.
func (s *server) exited(cmd *exec.Cmd) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cmd != cmd {
		return
	}
	s.exits++
	if s.again == 0 {
		return
	}
	s.mu.Unlock()
	<-time.After(s.again)
	s.mu.Lock()
	if s.cmd == cmd {
		_ = s.launch() // an error shows as a server that does not run
	}
}

// signal sends a signal and reports whether there is a process.
func (s *server) signal(what syscall.Signal) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cmd != nil && s.cmd.Process.Signal(what) == nil
}

// pid returns the process id; 0 while there is no process.
func (s *server) pid() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cmd == nil {
		return 0
	}
	return s.cmd.Process.Pid
}

// end sends a signal and waits until the process has ended.
func (s *server) end(signal syscall.Signal) {
	s.mu.Lock()
	cmd, ended := s.cmd, s.ended
	s.cmd = nil
	s.mu.Unlock()
	if cmd == nil {
		return
	}
	_ = cmd.Process.Signal(syscall.SIGCONT) // the process may be paused
	_ = cmd.Process.Signal(signal)
	<-ended
}

func freePort(t testing.TB) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { _ = l.Close() }() // the server uses the port now
	return l.Addr().(*net.TCPAddr).Port
}

// postgresPrograms returns the program folder of the newest installation, which Debian does not add to the PATH.
func postgresPrograms() (string, error) {
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb") // the pattern is valid
	if len(found) > 0 {
		slices.SortFunc(found, func(a, b string) int { return len(a) - len(b) + strings.Compare(a, b) })
		return filepath.Dir(found[len(found)-1]), nil
	}
	p, err := exec.LookPath("initdb")
	return filepath.Dir(p), err
}

// unprivileged returns the user for PostgreSQL and PgBouncer when the test runs as root, because they refuse to run as root.
func unprivileged() (*syscall.Credential, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		if u, err := user.Lookup(name); err == nil {
			uid, errUID := strconv.ParseUint(u.Uid, 10, 32)
			gid, errGID := strconv.ParseUint(u.Gid, 10, 32)
			return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, errors.Join(errUID, errGID)
		}
	}
	return nil, errors.New("running as root, and there is no user postgres or nobody")
}

// node is a PostgreSQL server with its data, in a role that changes.
type node struct {
	server
	data string
	port int
}

// database is a primary with a standby to which each commit is written before it is confirmed.
type database struct {
	t       testing.TB
	bin     string
	dir     string
	as      *syscall.Credential
	mu      sync.Mutex // held while roles change
	primary *node
	standby *node // nil: none
}

// startDatabase starts a primary and its standby. fsync is off: the test kills processes, not machines.
func startDatabase(t testing.TB, bin string, as *syscall.Credential) *database {
	t.Helper()
	dir, err := os.MkdirTemp("", "wattle-cluster-")
	require.NoError(t, err)
	d := &database{t: t, bin: bin, dir: dir, as: as}
	t.Cleanup(func() {
		for _, n := range []*node{d.primary, d.standby} {
			if n != nil {
				n.end(syscall.SIGQUIT)
			}
		}
		require.NoError(t, os.RemoveAll(dir))
	})
	if as != nil {
		require.NoError(t, os.Chown(dir, int(as.Uid), int(as.Gid)))
	}
	d.primary = d.node("a", freePort(t))
	require.NoError(t, d.run("initdb", "-D", d.primary.data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync",
		"--no-instructions"))
	require.NoError(t, d.primary.start())
	require.NoError(t, d.ready(d.primary))
	require.NoError(t, d.clone(d.node("b", freePort(t))))
	return d
}

func (d *database) node(name string, port int) *node {
	data := filepath.Join(d.dir, name)
	return &node{server: server{name: name, log: filepath.Join(d.dir, name+".log"), as: d.as,
		args: []string{filepath.Join(d.bin, "postgres"), "-D", data, "-k", d.dir, "-p", strconv.Itoa(port),
			"-c", "listen_addresses=127.0.0.1", "-c", "max_connections=300", "-c", "fsync=off", "-c", "shared_buffers=64MB", "-c",
			"wal_keep_size=256MB",
			"-c", "wal_retrieve_retry_interval=500ms", "-c", "dynamic_shared_memory_type=mmap", "-c", "log_min_messages=warning", "-c",
			"checkpoint_timeout=1h"}}, data: data, port: port}
}

func (d *database) run(program string, args ...string) error {
	cmd := exec.Command(filepath.Join(d.bin, program), args...)
	cmd.Dir, cmd.SysProcAttr = d.dir, &syscall.SysProcAttr{Credential: d.as}
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", program, err, out)
	}
	return nil
}

// superuser connects to a database of the server.
func (n *node) superuser(ctx context.Context, name string) (*pgx.Conn, error) {
	return pgx.Connect(ctx, fmt.Sprintf("postgres://postgres@127.0.0.1:%d/%s?sslmode=disable&connect_timeout=2", n.port, name))
}

// queryBool runs a query that returns one boolean.
func (n *node) queryBool(query string) (yes bool, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), 15*time.Second)
	defer cancel()
	c, err := n.superuser(ctx, "postgres")
	if err != nil {
		return false, err
	}
	defer func() { _ = c.Close(ctx) }() // the connection is no longer needed
	return yes, c.QueryRow(ctx, query).Scan(&yes)
}

// until waits until a query returns true.
func (n *node) until(query string) error {
	for end := time.Now().Add(60 * time.Second); ; <-time.After(20 * time.Millisecond) {
		yes, err := n.queryBool(query)
		if yes {
			return nil
		}
		if time.Now().After(end) {
			return fmt.Errorf("%s: %s: %w", n.name, query, err)
		}
	}
}

func (d *database) ready(n *node) error { return n.until("SELECT true") }

// clone makes a node a new standby of the primary. Commits wait for it once it has caught up.
func (d *database) clone(n *node) error {
	if err := os.RemoveAll(n.data); err != nil {
		return err
	}
	if err := d.run("pg_basebackup", "-D", n.data, "-h", "127.0.0.1", "-p", strconv.Itoa(d.primary.port), "-U", "postgres", "-X", "stream",
		"-c", "fast", "-R", "--no-sync"); err != nil {
		return err
	}
	// A promoted standby has no standby of its own until one is created.
	auto, err := os.OpenFile(filepath.Join(n.data, "postgresql.auto.conf"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = auto.WriteString("synchronous_standby_names = ''\n")
	if err := errors.Join(err, auto.Close()); err != nil {
		return err
	}
	if err := n.start(); err != nil {
		return err
	}
	d.standby = n
	if err := d.primary.until("SELECT count(*) = 1 FROM pg_stat_replication WHERE state = 'streaming'"); err != nil {
		return err
	}
	return d.synchronous(true)
}

// synchronous sets whether commits wait for the standby.
func (d *database) synchronous(on bool) error {
	ctx, cancel := context.WithTimeout(context.Background(), 15*time.Second)
	defer cancel()
	c, err := d.primary.superuser(ctx, "postgres")
	if err != nil {
		return err
	}
	defer func() { _ = c.Close(ctx) }() // the connection is no longer needed
	names := "''"
	if on {
		names = "'*'"
	}
	for _, s := range []string{"ALTER SYSTEM SET synchronous_standby_names = " + names, "SELECT pg_reload_conf()"} {
		if _, err := c.Exec(ctx, s); err != nil {
			return err
		}
	}
	if !on {
		return nil
	}
	return d.primary.until("SELECT count(*) = 1 FROM pg_stat_replication WHERE sync_state = 'sync'")
}

// failover kills the primary and promotes the standby, as an operator's tool does.
func (d *database) failover(to *pooler) (*node, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	old := d.primary
	old.end(syscall.SIGQUIT)
	d.primary, d.standby = d.standby, nil
	if promoted, err := d.primary.queryBool("SELECT pg_promote(true, 10)"); err != nil || !promoted {
		return old, fmt.Errorf("the standby is not promoted: %w", err)
	}
	return old, to.point(d.primary.port)
}

// direct returns a URL with both servers, of which the driver uses the one that accepts writes. The current primary is first: a standby
// that has not yet replayed the creation of a database refuses the connection, and the driver then tries no other server.
func (d *database) direct(name string) string {
	ports := []int{d.primary.port}
	if d.standby != nil {
		ports = append(ports, d.standby.port)
	}
	hosts := make([]string, len(ports))
	for i, p := range ports {
		hosts[i] = fmt.Sprintf("127.0.0.1:%d", p)
	}
	return "postgres://postgres@" + strings.Join(hosts, ",") + "/" + name + "?sslmode=disable&target_session_attrs=primary"
}

// pooler is PgBouncer in transaction mode.
type pooler struct {
	server
	ini  string
	port int
}

func startPooler(t testing.TB, d *database, bin string) *pooler {
	t.Helper()
	p := &pooler{ini: filepath.Join(d.dir, "pgbouncer.ini"), port: freePort(t)}
	p.server = server{name: "pgbouncer", log: filepath.Join(d.dir, "pgbouncer.log"), as: d.as, args: []string{bin, "-q", p.ini}}
	require.NoError(t, p.write(d.primary.port))
	require.NoError(t, p.start())
	t.Cleanup(func() { p.end(syscall.SIGKILL) })
	return p
}

// write writes the configuration from docs/operations.md, "A standby and failover".
func (p *pooler) write(port int) error {
	return os.WriteFile(p.ini, fmt.Appendf(nil, `[databases]
* = host=127.0.0.1 port=%d user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = %d
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 30
max_client_conn = 500
server_login_retry = 1
server_connect_timeout = 2
query_wait_timeout = 5
`, port, p.port), 0o644) // readable for the user that runs PgBouncer
}

// point makes the pooler use another server.
func (p *pooler) point(port int) error {
	if err := p.write(port); err != nil {
		return err
	}
	if !p.signal(syscall.SIGHUP) {
		return errors.New("PgBouncer does not run")
	}
	return nil
}

func (p *pooler) url(name string) string {
	return fmt.Sprintf("postgres://postgres@127.0.0.1:%d/%s?sslmode=disable", p.port, name)
}

// startBalancer starts HAProxy or, where it is not installed, a small balancer in this process, and returns its address.
func startBalancer(t testing.TB, d *database, portals []string) (addr, name string) {
	t.Helper()
	bin, err := exec.LookPath("haproxy")
	if err != nil {
		if bin = "/usr/sbin/haproxy"; exec.Command(bin, "-v").Run() != nil {
			return standIn(t, portals), "a stand-in for HAProxy"
		}
	}
	var text strings.Builder
	addr = fmt.Sprintf("127.0.0.1:%d", freePort(t))
	fmt.Fprintf(&text, `defaults
  mode http
  timeout connect 1s
  timeout client 30s
  timeout server 30s
  retries 3
  option redispatch
  retry-on conn-failure
frontend portal
  bind %s
  default_backend portals
backend portals
  balance roundrobin
  option httpchk GET /readyz
  default-server check inter 500ms fastinter 250ms fall 2 rise 1 on-marked-down shutdown-sessions
`, addr)
	for i, p := range portals {
		fmt.Fprintf(&text, "  server portal%d %s\n", i, p)
	}
	config := filepath.Join(d.dir, "haproxy.cfg")
	require.NoError(t, os.WriteFile(config, []byte(text.String()), 0o600))
	b := &server{name: "haproxy", log: filepath.Join(t.TempDir(), "haproxy.log"), args: []string{bin, "-db", "-f", config}}
	require.NoError(t, b.start())
	t.Cleanup(func() { b.end(syscall.SIGKILL) })
	require.NoError(t, (&portal{addr: addr}).ready(10*time.Second), "HAProxy answers")
	return addr, "HAProxy"
}

// standIn sends requests in turn to the portals whose /readyz succeeds.
func standIn(t testing.TB, portals []string) string {
	t.Helper()
	var mu sync.Mutex
	ready, next := map[string]bool{}, 0
	stop := make(chan struct{})
	t.Cleanup(func() { close(stop) })
	checks := &http.Client{Timeout: 500 * time.Millisecond}
	for _, p := range portals {
		go func() {
			for {
				res, err := checks.Get("http://" + p + "/readyz")
				ok := err == nil && res.StatusCode == http.StatusOK
				if err == nil {
					_ = res.Body.Close()
				}
				mu.Lock()
				ready[p] = ok
				mu.Unlock()
				select {
				case <-stop:
					return
				case <-time.After(250 * time.Millisecond):
				}
			}
		}()
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	s := &http.Server{ReadHeaderTimeout: time.Minute,
		Handler: &httputil.ReverseProxy{ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) {
			w.WriteHeader(http.StatusBadGateway)
		}, Rewrite: func(r *httputil.ProxyRequest) {
			mu.Lock()
			defer mu.Unlock()
			to := portals[0]
			for range portals {
				next++
				if p := portals[next%len(portals)]; ready[p] {
					to = p
					break
				}
			}
			r.SetURL(&url.URL{Scheme: "http", Host: to})
			r.Out.Host = r.In.Host
			r.Out.Header["X-Forwarded-For"] = r.In.Header["X-Forwarded-For"]
		}}}
	go func() { _ = s.Serve(l) }() // returns when the server is closed
	t.Cleanup(func() { _ = s.Close() })
	return l.Addr().String()
}
