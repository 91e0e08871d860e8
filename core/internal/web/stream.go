package web

import (
	"context"
	"net/http"
	"time"
)

// piece is what is written to a caller at a time: who takes less than this in Server.Timeout is too slow to be served.
const piece = 32 << 10

// stream prepares the answer of an operation that streams a file. It may take as long as it moves, where any other answer has a fixed
// time: a caller that takes nothing for s.Timeout is cut off by the deadline of the connection, and a module that writes nothing for
// as long by its context. It is not compressed, which would hold back what has been written. cancel must be called at the end.
func (s *Server) stream(parent context.Context, w http.ResponseWriter) (context.Context, http.ResponseWriter, context.CancelFunc) {
	if c, ok := w.(interface{ Unwrap() http.ResponseWriter }); ok {
		w = c.Unwrap() // what is below the compressor, which is the innermost of the handlers around the calls
	}
	h := w.Header()
	h.Set("Content-Security-Policy", "sandbox; default-src 'none'; frame-ancestors 'none'") // should anybody show it after all
	h.Set("Referrer-Policy", "no-referrer")                                                 // the address may hold a ticket
	ctx, cancel := context.WithCancel(parent)
	watch := time.AfterFunc(s.Timeout, cancel)
	out := &streamed{w, http.NewResponseController(w), watch, s.Timeout}
	out.extend()
	return ctx, out, func() { watch.Stop(); cancel() }
}

// streamed is the writer of an answer that streams.
type streamed struct {
	http.ResponseWriter
	connection *http.ResponseController
	watch      *time.Timer
	timeout    time.Duration
}

// extend gives the next piece its time. Real time, not the injected clock: it is the network's.
func (s *streamed) extend() {
	s.watch.Reset(s.timeout)
	_ = s.connection.SetWriteDeadline(time.Now().Add(s.timeout)) // a writer without deadlines is one of a test
}

// Write implements http.ResponseWriter.
func (s *streamed) Write(p []byte) (n int, err error) {
	for first := true; first || len(p) > 0; first = false {
		s.extend()
		m, err := s.ResponseWriter.Write(p[:min(len(p), piece)])
		if n += m; err != nil {
			return n, err
		}
		p = p[m:]
	}
	_ = s.connection.Flush() // what is held back is not under way; a caller that is gone shows at the next write
	s.extend()
	return n, nil
}

// Unwrap is for http.ResponseController.
func (s *streamed) Unwrap() http.ResponseWriter { return s.ResponseWriter }

// Flush implements http.Flusher.
func (s *streamed) Flush() {
	s.extend()
	_ = s.connection.Flush() // as in Write
}
