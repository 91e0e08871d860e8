package web

import (
	"context"
	"net/http"
	"time"
)

// pieceSize is the number of bytes written at a time. A caller that takes less than this within Server.Timeout is disconnected.
const pieceSize = 32 << 10

// openStream prepares the response of an operation that streams a file. Unlike other responses, it has no fixed timeout and may continue
// while data is transferred. A caller that reads nothing for s.Timeout is disconnected by the deadline of the connection. A module that
// writes nothing for that time is canceled through its context. The response is not compressed, because a compressor would hold data back.
// cancel must be called at the end.
func (s *Server) openStream(parent context.Context, w http.ResponseWriter) (context.Context, http.ResponseWriter, context.CancelFunc) {
	noted, _ := w.(*refusal)
	if noted != nil {
		w = noted.ResponseWriter
	}
	if c, ok := w.(interface{ Unwrap() http.ResponseWriter }); ok {
		w = c.Unwrap() // the writer below the compressor
	}
	h := w.Header()
	// in case a browser renders the file
	h.Set("Content-Security-Policy", "sandbox; default-src 'none'; base-uri 'none'; frame-ancestors 'none'")
	h.Set("Referrer-Policy", "no-referrer") // the URL may contain a ticket
	ctx, cancel := context.WithCancel(parent)
	watch := time.AfterFunc(s.Timeout, cancel)
	out := &streamWriter{w, http.NewResponseController(w), watch, s.Timeout}
	out.extend()
	w = out
	if noted != nil {
		noted.ResponseWriter, w = out, noted
	}
	return ctx, w, func() { watch.Stop(); cancel() }
}

// streamWriter is the writer of a streamed response.
type streamWriter struct {
	http.ResponseWriter
	connection *http.ResponseController
	watch      *time.Timer
	timeout    time.Duration
}

// extend sets the deadline of the next piece, in real time instead of the injected clock.
func (s *streamWriter) extend() {
	s.watch.Reset(s.timeout)
	_ = s.connection.SetWriteDeadline(time.Now().Add(s.timeout)) // only test writers have no deadlines
}

// Write implements http.ResponseWriter.
func (s *streamWriter) Write(p []byte) (n int, err error) {
	for first := true; first || len(p) > 0; first = false {
		s.extend()
		m, err := s.ResponseWriter.Write(p[:min(len(p), pieceSize)])
		if n += m; err != nil {
			return n, err
		}
		p = p[m:]
	}
	_ = s.connection.Flush() // sends the buffer; the next write detects a caller that has disconnected
	s.extend()
	return n, nil
}

// Unwrap returns the wrapped writer for http.ResponseController.
func (s *streamWriter) Unwrap() http.ResponseWriter { return s.ResponseWriter }

// Flush implements http.Flusher.
func (s *streamWriter) Flush() {
	s.extend()
	_ = s.connection.Flush() // as in Write
}
