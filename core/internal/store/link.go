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

// Bounds of a connection to PostgreSQL. A connection whose peer is gone (failover, firewall, unplugged cable) is found and replaced
// within deadAfter plus a round of the watch, about three seconds.
const (
	connectTimeout  = 5 * time.Second  // of one attempt to connect, unless the URL says connect_timeout
	pingTimeout     = time.Second      // of the check of a connection that was idle
	pingAfterIdle   = time.Second      // a connection that was used since is not checked
	deadAfter       = 2 * time.Second  // without an answer to a statement, before the server is asked whether it still works on it
	unackedTimeout  = 5 * time.Second  // of bytes that the peer's kernel has not acknowledged
	silenceTimeout  = 5 * time.Second  // without an answer to the watch, before statements that wait for the server are given up
	maxConnLifetime = 30 * time.Minute // so that connections move to a new server behind a name or a balancer
	closeTimeout    = 2 * time.Second  // of all connections together, when the store closes
)

// links are the open connections of a store to PostgreSQL, those of its pools and of the pools of Pool.
type links struct {
	dialer net.Dialer

	mu        sync.Mutex
	open      map[*link]struct{}
	away      atomic.Bool  // the watch cannot connect: nobody else need wait to find that out
	condemned atomic.Int64 // connections that were last heard of before this moment are not trusted any more, in Unix nanoseconds
}

func newLinks() *links {
	return &links{open: map[*link]struct{}{}, dialer: net.Dialer{
		KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: 5 * time.Second, Interval: time.Second, Count: 3},
		Control:         userTimeout,
	}}
}

// link is a connection that knows when it was last written to and read from, and so whether it waits for an answer.
type link struct {
	net.Conn
	of    *links
	pid   atomic.Uint32 // of the server's process; 0: not known, or of a pooler between
	wrote atomic.Int64  // Unix nanoseconds
	heard atomic.Int64
}

// errAway is the error of a connection that is not tried, because the watch finds no server.
var errAway = &net.OpError{Op: "dial", Net: "postgres", Err: errors.New("the server does not answer")}

// dial is a pgconn.DialFunc. It fails at once while the watch finds no server, so that callers get their answer and a stop ends in time.
func (s *links) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	if s.away.Load() {
		return nil, errAway
	}
	return s.dialAnyway(ctx, network, addr)
}

func (s *links) dialAnyway(ctx context.Context, network, addr string) (net.Conn, error) {
	c, err := s.dialer.DialContext(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	l := &link{Conn: c, of: s}
	l.heard.Store(time.Now().UnixNano())
	s.mu.Lock()
	s.open[l] = struct{}{}
	s.mu.Unlock()
	return l, nil
}

func (l *link) Write(b []byte) (int, error) {
	l.wrote.Store(time.Now().UnixNano())
	return l.Conn.Write(b)
}

func (l *link) Read(b []byte) (int, error) {
	n, err := l.Conn.Read(b)
	if n > 0 {
		l.heard.Store(time.Now().UnixNano())
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

// linkOf finds the link below a connection; nil when it was not dialed by links.
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

// met sets up a new connection: the server ends it when this machine is gone, and the process that serves it is known. A pooler gives
// another process's number; such a connection is never judged by it.
func (s *links) met(ctx context.Context, c *pgx.Conn) error {
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

// alive checks a connection before it is used again. It costs a round trip only after idleness, and never more than pingTimeout.
func (s *links) alive(ctx context.Context, c *pgx.Conn) bool {
	l := linkOf(c)
	if l == nil {
		return c.Ping(ctx) == nil
	}
	heard := l.heard.Load()
	if heard < s.condemned.Load() {
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
	if ctx.Err() == nil { // else it was the caller who did not wait
		s.condemn()
	}
	return false
}

// condemn has every connection replaced before it is used again, because one of them was dead: the others most likely are too, and
// to find that out one by one takes a second each.
func (s *links) condemn() { s.condemned.Store(time.Now().Add(-pingAfterIdle).UnixNano()) }

// stuck lists the connections that have waited for an answer for at least deadAfter, by the process that should give it.
func (s *links) stuck() map[uint32]*link {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := map[uint32]*link{}
	for l := range s.open {
		wrote, pid := l.wrote.Load(), l.pid.Load()
		if pid != 0 && wrote > l.heard.Load() && time.Since(time.Unix(0, wrote)) > deadAfter {
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
		if time.Since(time.Unix(0, l.heard.Load())) >= d {
			silent = append(silent, l)
		}
	}
	s.mu.Unlock()
	for _, l := range silent {
		_ = l.Close()
	}
}
