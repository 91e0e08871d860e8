package app

import (
	"context"
	"log/slog"
	"net"
	"syscall"
	"time"
)

// handshakeTimeout is how long pending TCP handshakes may take after refuseNew.
const handshakeTimeout = 200 * time.Millisecond

// listen listens on an address. It does not use Multipath TCP, which is Go's default, because its sockets do not support the filters of
// refuseNew.
func listen(ctx context.Context, addr string) (net.Listener, error) {
	var c net.ListenConfig
	c.SetMultipathTCP(false)
	return c.Listen(ctx, "tcp", addr)
}

// refuseNew makes the kernel refuse new connections, and waits until the server has accepted those in the queue. Closing the listener
// immediately would reset the queued connections, and their clients could not tell whether a request was served. A refused connection can
// be retried. If sockets do not support filters, the listener is closed immediately.
func refuseNew(l net.Listener, log *slog.Logger) {
	socket, ok := l.(syscall.Conn)
	if !ok {
		return
	}
	raw, err := socket.SyscallConn()
	if err == nil {
		err = dropNew(raw)
	}
	if err != nil {
		log.Debug("listener closes without refusing new connections first", "error", err)
		return
	}
	time.Sleep(handshakeTimeout)
	until := time.Now().Add(time.Second) // much longer than the server needs, unless the machine is busy
	for hasWaiting(raw) && time.Now().Before(until) {
		time.Sleep(time.Millisecond)
	}
}
