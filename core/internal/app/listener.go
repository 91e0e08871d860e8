package app

import (
	"context"
	"log/slog"
	"net"
	"syscall"
	"time"
)

// settling is how long the handshakes of connections that were accepted by the kernel before turnAway may take.
const settling = 200 * time.Millisecond

// listen takes an address. Not with Multipath TCP, Go's default, whose sockets take no filter (turnAway).
func listen(ctx context.Context, addr string) (net.Listener, error) {
	var c net.ListenConfig
	c.SetMultipathTCP(false)
	return c.Listen(ctx, "tcp", addr)
}

// turnAway stops the kernel from accepting further connections and waits until the server has taken those that it has accepted. A
// listener that is closed resets what waits in its queue, and the caller of such a connection cannot know whether it was served; one
// that is turned away is refused when it tries again. Where sockets cannot do that, the listener just closes.
func turnAway(l net.Listener, log *slog.Logger) {
	socket, ok := l.(syscall.Conn)
	if !ok {
		return
	}
	raw, err := socket.SyscallConn()
	if err == nil {
		err = dropNew(raw)
	}
	if err != nil {
		log.Debug("the listener closes without turning callers away first", "error", err)
		return
	}
	time.Sleep(settling)
	until := time.Now().Add(time.Second) // a server with a processor to itself has taken them long before
	for waiting(raw) && time.Now().Before(until) {
		time.Sleep(time.Millisecond)
	}
}
