package store

import (
	"context"
	"errors"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
)

// Timeouts of a connection to PostgreSQL. A connection whose peer is gone (failover, firewall, unplugged cable) is detected and replaced
// within deadAfter plus one round of the watch, about three seconds; when no server answers at all, within silenceTimeout plus a round.
const (
	connectTimeout = 5 * time.Second // of one attempt to connect, unless the URL contains connect_timeout
	pingTimeout    = time.Second     // of the check of an idle connection
	pingAfterIdle  = time.Second     // a connection that was used more recently is not checked
	// without an answer to a statement, before the watch asks the server whether it still works on the statement
	deadAfter       = 2 * time.Second
	unackedTimeout  = 5 * time.Second  // of bytes that the kernel of the peer has not acknowledged
	silenceTimeout  = 5 * time.Second  // without any answer to the watch, before connections that wait are closed
	maxConnLifetime = 30 * time.Minute // so that connections move to a new server behind a host name or load balancer
	closeTimeout    = 2 * time.Second  // of all connections together, in Store.Close
)

// links contains the open connections of a store to PostgreSQL.
type links struct {
	dialer net.Dialer

	mu            sync.Mutex
	open          map[*link]struct{}
	unreachable   atomic.Bool  // the watch cannot connect, so other attempts fail at once
	invalidBefore atomic.Int64 // Unix nanoseconds; a connection without a read since then is replaced before its next use
}

func newLinks() *links {
	return &links{open: map[*link]struct{}{}, dialer: net.Dialer{
		KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: 5 * time.Second, Interval: time.Second, Count: 3},
		Control:         userTimeout,
	}}
}

// link is a connection that records its last write and read, which show whether it waits for an answer.
type link struct {
	net.Conn
	of        *links
	pid       atomic.Uint32 // of the server's process; 0 when unknown or of a connection pooler
	lastWrite atomic.Int64  // Unix nanoseconds
	lastRead  atomic.Int64
}

// errUnreachable is the error of a connection that is not attempted, because the watch reaches no server.
var errUnreachable = &net.OpError{Op: "dial", Net: "postgres", Err: errors.New("the server does not answer")}

// dial is a pgconn.DialFunc. It fails at once while the watch reaches no server, so that callers get an answer and a stop ends in time.
func (s *links) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	if s.unreachable.Load() {
		return nil, errUnreachable
	}
	return s.dialAlways(ctx, network, addr)
}

func (s *links) dialAlways(ctx context.Context, network, addr string) (net.Conn, error) {
	c, err := s.dialer.DialContext(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	l := &link{Conn: c, of: s}
	l.lastRead.Store(time.Now().UnixNano())
	s.mu.Lock()
	s.open[l] = struct{}{}
	s.mu.Unlock()
	return l, nil
}

func (l *link) Write(b []byte) (int, error) {
	l.lastWrite.Store(time.Now().UnixNano())
	return l.Conn.Write(b)
}

func (l *link) Read(b []byte) (int, error) {
	n, err := l.Conn.Read(b)
	if n > 0 {
		l.lastRead.Store(time.Now().UnixNano())
	}
	return n, err
}

// Close closes the connection. It returns nil when the connection is closed already.
func (l *link) Close() error {
	l.of.mu.Lock()
	_, isOpen := l.of.open[l]
	delete(l.of.open, l)
	l.of.mu.Unlock()
	if !isOpen {
		return nil
	}
	return l.Conn.Close()
}

// linkOf returns the link below a connection, or nil when links did not dial the connection.
func linkOf(c *pgx.Conn) *link {
	for at := c.PgConn().Conn(); ; {
		switch t := at.(type) {
		case *link:
			return t
		case interface{ NetConn() net.Conn }: // TLS
			at = t.NetConn()
		default:
			return nil
		}
	}
}

// afterConnect sets keep-alive parameters, so that the server ends the connection when this machine is gone, and stores the id of the
// server's process. Behind a connection pooler that id belongs to another connection, so the watch does not use it.
func (s *links) afterConnect(ctx context.Context, c *pgx.Conn) error {
	var pid uint32
	err := c.QueryRow(ctx, "SELECT pg_backend_pid()::bigint, set_config('tcp_keepalives_idle', '5', false), set_config('tcp_keepalives_interval', '2', false), "+
		"set_config('tcp_keepalives_count', '3', false)", pgx.QueryExecModeExec).Scan(&pid, nil, nil, nil)
	if err != nil {
		return err
	}
	if l := linkOf(c); l != nil && pid == c.PgConn().PID() {
		l.pid.Store(pid)
	}
	scanUTC(c)
	return nil
}

// isAlive checks a connection before its next use. The check needs a round trip only after idleness, and at most pingTimeout.
func (s *links) isAlive(ctx context.Context, c *pgx.Conn) bool {
	l := linkOf(c)
	if l == nil {
		return c.Ping(ctx) == nil
	}
	heard := l.lastRead.Load()
	if heard < s.invalidBefore.Load() {
		_ = l.Close()
		return false
	}
	if time.Since(time.Unix(0, heard)) < pingAfterIdle {
		return true
	}
	bounded, cancel := context.WithTimeout(ctx, pingTimeout)
	defer cancel()
	if c.PgConn().Ping(bounded) == nil {
		return true
	}
	_ = l.Close()
	if ctx.Err() == nil { // otherwise the caller has canceled
		s.invalidate()
	}
	return false
}

// invalidate has every idle connection replaced before its next use. When one connection is dead the others most likely are too, and
// checking each would take a second.
func (s *links) invalidate() { s.invalidBefore.Store(time.Now().Add(-pingAfterIdle).UnixNano()) }

// stuck returns the connections that have waited for an answer for at least deadAfter, by the id of the server's process.
func (s *links) stuck() map[uint32]*link {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := map[uint32]*link{}
	for l := range s.open {
		wrote, pid := l.lastWrite.Load(), l.pid.Load()
		if pid != 0 && wrote > l.lastRead.Load() && time.Since(time.Unix(0, wrote)) > deadAfter {
			out[pid] = l
		}
	}
	return out
}

// closeSilent closes the connections over which nothing has arrived for at least d, without sending the server anything.
func (s *links) closeSilent(d time.Duration) {
	s.mu.Lock()
	var silent []*link
	for l := range s.open {
		if time.Since(time.Unix(0, l.lastRead.Load())) >= d {
			silent = append(silent, l)
		}
	}
	s.mu.Unlock()
	for _, l := range silent {
		_ = l.Close()
	}
}
