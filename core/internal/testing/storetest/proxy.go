package storetest

import (
	"encoding/binary"
	"io"
	"maps"
	"net"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/wattle-portal/wattle/core/internal/storage/store"
)

// Proxy is a network between a test and its PostgreSQL that fails silently on demand: it accepts bytes and drops them, like a firewall that
// has forgotten a connection or a server that has lost power.
type Proxy struct {
	network, server string
	listener        net.Listener

	mu    sync.Mutex
	dead  bool   // new connections get no response either
	error string // SQLSTATE with which new connections are refused
	pipes map[*pipe]struct{}
}

// pipe is a client's connection with its connection to the server.
type pipe struct {
	client, server net.Conn
	mu             sync.Mutex
	frozen         bool
}

// FaultyPostgres returns PostgresConfig behind a Proxy.
func FaultyPostgres(t testing.TB) (store.Config, *Proxy) {
	t.Helper()
	c := PostgresConfig(t)
	u, err := url.Parse(c.URL)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	p := &Proxy{network: "tcp", server: u.Host, pipes: map[*pipe]struct{}{}}
	if dir := q.Get("host"); strings.HasPrefix(dir, "/") {
		port := q.Get("port")
		if port == "" {
			port = "5432"
		}
		p.network, p.server = "unix", filepath.Join(dir, ".s.PGSQL."+port)
	}
	if p.listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.close)
	go p.serve()
	q.Del("host")
	q.Del("port")
	u.Host, u.RawQuery = p.listener.Addr().String(), q.Encode()
	c.URL = u.String()
	return c, p
}

// Freeze makes all existing connections stop working; new connections work.
func (p *Proxy) Freeze() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for one := range p.pipes {
		one.mu.Lock()
		one.frozen = true
		one.mu.Unlock()
	}
}

// Blackhole makes all connections stop working. New connections also fail until Blackhole(false); existing ones never work again.
func (p *Proxy) Blackhole(dead bool) {
	p.Freeze()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.dead = dead
}

// Refuse closes every connection and refuses new ones with a SQLSTATE, like a server that is stopping or overloaded. An empty SQLSTATE ends
// this.
func (p *Proxy) Refuse(sqlstate string) {
	p.mu.Lock()
	p.error = sqlstate
	all := p.all()
	p.mu.Unlock()
	for _, one := range all {
		p.end(one)
	}
}

// refuse responds with an error to the first message of a connection and to a TLS request before it.
func refuse(client net.Conn, sqlstate string) {
	defer client.Close()
	var head [8]byte
	for {
		if _, err := io.ReadFull(client, head[:]); err != nil {
			return
		}
		if binary.BigEndian.Uint32(head[4:]) != 80877103 { // SSLRequest
			break
		}
		_, _ = client.Write([]byte{'N'})
	}
	_, _ = io.CopyN(io.Discard, client, int64(binary.BigEndian.Uint32(head[:4]))-8)
	answer, _ := (&pgproto3.ErrorResponse{Severity: "FATAL", Code: sqlstate, Message: "refused by the test"}).Encode(nil)
	_, _ = client.Write(answer)
}

// Open returns the number of working connections.
func (p *Proxy) Open() (n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for one := range p.pipes {
		if !one.isFrozen() {
			n++
		}
	}
	return n
}

func (p *Proxy) serve() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		p.mu.Lock()
		dead, sqlstate := p.dead, p.error
		p.mu.Unlock()
		if sqlstate != "" {
			go refuse(client, sqlstate)
			continue
		}
		one := &pipe{client: client, frozen: dead}
		if !dead {
			if one.server, err = net.Dial(p.network, p.server); err != nil {
				_ = client.Close()
				continue
			}
		}
		p.mu.Lock()
		p.pipes[one] = struct{}{}
		p.mu.Unlock()
		go p.carry(one, client, one.server)
		if one.server != nil {
			go p.carry(one, one.server, client)
		}
	}
}

// carry copies one direction until either side closes. On a frozen pipe it drops everything, including the close.
func (p *Proxy) carry(one *pipe, from, to net.Conn) {
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		if one.isFrozen() {
			if err == nil {
				continue
			}
			if from == one.client { // the client has given up
				p.end(one)
			}
			return
		}
		if n > 0 {
			if _, err := to.Write(buffer[:n]); err != nil {
				break
			}
		}
		if err != nil {
			if err != io.EOF && one.isFrozen() {
				return
			}
			break
		}
	}
	p.end(one)
}

func (one *pipe) isFrozen() bool {
	one.mu.Lock()
	defer one.mu.Unlock()
	return one.frozen
}

func (p *Proxy) end(one *pipe) {
	p.mu.Lock()
	delete(p.pipes, one)
	p.mu.Unlock()
	_ = one.client.Close()
	if one.server != nil {
		_ = one.server.Close()
	}
}

func (p *Proxy) close() {
	_ = p.listener.Close()
	p.mu.Lock()
	all := p.all()
	p.mu.Unlock()
	for _, one := range all {
		p.end(one)
	}
}

func (p *Proxy) all() []*pipe { return slices.Collect(maps.Keys(p.pipes)) }
