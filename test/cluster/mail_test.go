//go:build linux

package cluster_test

import (
	"bufio"
	"bytes"
	"mime"
	"net"
	netmail "net/mail"
	"net/textproto"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// sink is a mail server that keeps accepted emails. Like some real servers, it recognizes repeated emails by their Message-ID.
type sink struct {
	addr string

	mu     sync.Mutex
	taken  map[string]received // Message-ID -> email
	repeat int                 // number of repeated emails
	wrong  []string
}

type received struct{ to, subject string }

func startSink(t testing.TB) *sink {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	s := &sink{addr: l.Addr().String(), taken: map[string]received{}}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go s.serve(c)
		}
	}()
	return s
}

func (s *sink) serve(c net.Conn) {
	defer func() { _ = c.Close() }()
	in := textproto.NewReader(bufio.NewReader(c))
	say := func(line string) { _, _ = c.Write([]byte(line + "\r\n")) }
	say("220 sink.example")
	for {
		line, err := in.ReadLine()
		if err != nil {
			return
		}
		switch verb, _, _ := strings.Cut(strings.ToUpper(line), " "); verb {
		case "DATA":
			say("354 go on")
			raw, err := in.ReadDotBytes()
			if err != nil {
				return
			}
			s.take(raw) // before the response, which the portal may not receive
			say("250 taken")
		case "QUIT":
			say("221 bye")
			return
		default:
			say("250 fine")
		}
	}
}

func (s *sink) take(raw []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m, err := netmail.ReadMessage(bytes.NewReader(raw))
	if err != nil {
		s.wrong = append(s.wrong, err.Error())
		return
	}
	subject, err := new(mime.WordDecoder).DecodeHeader(m.Header.Get("Subject"))
	id := m.Header.Get("Message-ID")
	if err != nil || id == "" {
		s.wrong = append(s.wrong, "a mail without a subject or an id")
		return
	}
	if _, known := s.taken[id]; known {
		s.repeat++
	}
	s.taken[id] = received{m.Header.Get("To"), subject}
}

// bySubject counts different emails by recipient and subject.
func (s *sink) bySubject() map[received]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := map[received]int{}
	for _, m := range s.taken {
		out[m]++
	}
	return out
}
