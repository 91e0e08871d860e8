package pluginhost

import (
	"errors"
	"net/textproto"
	"strings"
)

// garbage contains parts of the messages of net/http errors about data that is not HTTP. net/http has no types for these errors.
var garbage = []string{"malformed", "chunk length", "invalid Content-Length", "bad Content-Length", "unsupported transfer encoding",
	"too many transfer encodings"}

// isGarbage reports whether a process sent a response that is not HTTP. It returns false for a process that ends or closes a connection.
func isGarbage(err error) bool {
	if err == nil {
		return false
	}
	if _, ok := errors.AsType[textproto.ProtocolError](err); ok {
		return true
	}
	text := err.Error()
	for _, g := range garbage {
		if strings.Contains(text, g) {
			return true
		}
	}
	return false
}

// killBroken ends a process that violated the protocol, because its later responses cannot be trusted. Its supervisor restarts it.
func (p *Plugin) killBroken(x *process, err error) {
	x.broken.Do(func() {
		p.log.Error("plugin answers garbage and is started again", "pid", x.cmd.Process.Pid, "error", oneLine(err))
		x.force()
	})
}
