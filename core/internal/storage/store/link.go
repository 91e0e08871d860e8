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

// Timeouts of a connection to PostgreSQL. A connection whose peer has disappeared (failover, firewall, unplugged cable) is detected and
// replaced within deadAfter plus one check of the watch, about three seconds. If no server responds at all, this takes at most
// silenceTimeout plus one check.
const (
	connectTimeout = 5 * time.Second // limits one attempt to connect, unless the URL contains connect_timeout
	pingTimeout    = time.Second     // limits the check of an idle connection
	pingAfterIdle  = time.Second     // a connection that was used more recently is not checked
	// deadAfter is how long a statement waits for a response before the watch checks whether the server still works on it.
	deadAfter       = 2 * time.Second
	unackedTimeout  = 5 * time.Second  // how long sent bytes may remain unacknowledged by the peer's kernel
	silenceTimeout  = 5 * time.Second  // how long the server may not respond to the watch before waiting connections are closed
	maxConnLifetime = 30 * time.Minute // moves connections to a new server behind a host name or load balancer
	closeTimeout    = 2 * time.Second  // limits Store.Close for all connections together
)

// links contains a store's open connections to PostgreSQL.
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

// link is a connection that records its last write and read, which show whether it is waiting for a response.
type link struct {
	net.Conn
	of        *links
	pid       atomic.Uint32 // id of the server process; 0 when unknown or when it is that of a pooler
	lastWrite atomic.Int64  // Unix nanoseconds
	lastRead  atomic.Int64
}

// errUnreachable is returned without an attempt to connect while the watch cannot reach a server.
var errUnreachable = &net.OpError{Op: "dial", Net: "postgres", Err: errors.New("the server does not answer")}

// dial is a pgconn.DialFunc. It fails at once while the watch cannot reach a server, so that callers get an error and a shutdown ends in
// time.
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

// Close closes the connection. It returns nil if the connection is already closed.
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

// linkOf returns the link below a connection, or nil if the connection was not dialed by links.
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

// afterConnect sets keep-alive parameters, so that the server ends the connection if this machine disappears, and stores the id of the
// server process. Behind a connection pooler that id belongs to another connection, so the watch does not use it.
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

// isAlive checks a connection before its next use. The check needs a round trip only after the connection was idle, and takes at most
// pingTimeout.
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

// invalidate causes all idle connections to be replaced before their next use. When one connection is dead, the others probably are too,
// and checking each of them would take a second.
func (s *links) invalidate() { s.invalidBefore.Store(time.Now().Add(-pingAfterIdle).UnixNano()) }

// stuck returns the connections that have waited for a response for at least deadAfter, by the id of the server process.
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

// closeSilent closes the connections on which nothing has arrived for at least d, without sending anything to the server.
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
