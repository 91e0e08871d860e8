package mail

import (
	"bufio"
	"cmp"
	"context"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// server is an SMTP server that takes any number of emails.
type server struct {
	net.Listener
	onMail func(c net.Conn) // runs before an email is accepted
	after  func(c net.Conn) // runs after an email was accepted
	refuse string           // response to the next recipient

	mu          sync.Mutex
	connections []net.Conn
	mails       []string
}

func newServer(t *testing.T) (*server, *Mailer) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	s := &server{Listener: l}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			s.mu.Lock()
			s.connections = append(s.connections, c)
			s.mu.Unlock()
			go s.serve(c)
		}
	}()
	m, err := New(Config{Host: "127.0.0.1", Port: l.Addr().(*net.TCPAddr).Port, TLS: "none"}, brands, brands)
	require.NoError(t, err)
	t.Cleanup(func() {
		m.Close()
		_ = l.Close()
		s.mu.Lock()
		defer s.mu.Unlock()
		for _, c := range s.connections {
			_ = c.Close()
		}
	})
	return s, m
}

func (s *server) serve(c net.Conn) {
	defer c.Close()
	r := bufio.NewReader(c)
	say := func(line string) { _, _ = io.WriteString(c, line+"\r\n") }
	say("220 test")
	var data strings.Builder
	for in := false; ; {
		line, err := r.ReadString('\n')
		if err != nil {
			return
		}
		switch {
		case in && line == ".\r\n":
			in = false
			s.mu.Lock()
			before, after := s.onMail, s.after
			s.mu.Unlock()
			if before != nil {
				before(c)
			}
			s.mu.Lock()
			s.mails = append(s.mails, data.String())
			s.mu.Unlock()
			data.Reset()
			say("250 ok")
			if after != nil {
				after(c)
			}
		case in:
			data.WriteString(line)
		case strings.HasPrefix(line, "EHLO"):
			say("250-test\r\n250 8BITMIME")
		case strings.HasPrefix(line, "RCPT"):
			s.mu.Lock()
			say(cmp.Or(s.refuse, "250 ok"))
			s.refuse = ""
			s.mu.Unlock()
		case strings.HasPrefix(line, "DATA"):
			in = true
			say("354 go")
		case strings.HasPrefix(line, "QUIT"):
			say("221 bye")
			return
		default:
			say("250 ok")
		}
	}
}

// with changes the server's behavior while holding its lock.
func (s *server) with(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
}

// counts returns the numbers of connections and emails.
func (s *server) counts() [2]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return [2]int{len(s.connections), len(s.mails)}
}

func TestConnectionsAreReused(t *testing.T) {
	sent := func(t *testing.T, m *Mailer) {
		t.Helper()
		require.NoError(t, m.Send(t.Context(), "1042", "7f3a", hello))
	}
	t.Run("a connection sends many mails", func(t *testing.T) {
		s, m := newServer(t)
		for range maxPerConnection + 1 {
			sent(t, m)
		}
		require.Equal(t, [2]int{2, maxPerConnection + 1}, s.counts(), "and then ends, because servers limit them")
	})
	t.Run("a refused address does not end it", func(t *testing.T) {
		s, m := newServer(t)
		s.with(func() { s.refuse = "550 no such user" })
		require.ErrorContains(t, m.Send(t.Context(), "1042", "7f3a", hello), "550")
		sent(t, m)
		require.Equal(t, [2]int{1, 1}, s.counts())
	})
	t.Run("one that the server has closed is replaced", func(t *testing.T) {
		s, m := newServer(t)
		sent(t, m)
		s.mu.Lock()
		_ = s.connections[0].Close()
		s.mu.Unlock()
		sent(t, m)
		require.Equal(t, [2]int{2, 2}, s.counts())
	})
	t.Run("a mail that was accepted is sent, also when the server closes then", func(t *testing.T) {
		s, m := newServer(t)
		s.with(func() { s.after = func(c net.Conn) { _ = c.Close() } })
		sent(t, m) // an error would make the outbox send it again
		sent(t, m)
		require.Equal(t, [2]int{2, 2}, s.counts())
	})
	t.Run("mails at the same time have connections of their own", func(t *testing.T) {
		s, m := newServer(t)
		var all sync.WaitGroup
		all.Add(3)
		s.with(func() { s.onMail = func(net.Conn) { all.Done(); all.Wait() } })
		var senders sync.WaitGroup
		for range 3 {
			senders.Go(func() { _ = m.Send(context.WithoutCancel(t.Context()), "1042", "7f3a", hello) })
		}
		senders.Wait()
		s.with(func() { s.onMail = nil })
		sent(t, m)
		require.Equal(t, [2]int{3, 4}, s.counts())
	})
	t.Run("a canceled mail does not wait for the server", func(t *testing.T) {
		s, m := newServer(t)
		ctx, cancel := context.WithCancel(t.Context())
		held := make(chan struct{})
		s.with(func() { s.onMail = func(net.Conn) { cancel(); <-held } })
		ended := make(chan error, 1)
		go func() { ended <- m.Send(ctx, "1042", "7f3a", hello) }()
		select {
		case err := <-ended:
			require.Error(t, err)
		case <-time.After(smtpTimeout - 2*time.Second):
			t.Error("it waits until the timeout")
		}
		close(held)
	})
	t.Run("Close ends them", func(t *testing.T) {
		s, m := newServer(t)
		sent(t, m)
		m.Close()
		sent(t, m)
		require.Equal(t, [2]int{2, 2}, s.counts())
		require.Empty(t, m.open.idle)
	})
}
