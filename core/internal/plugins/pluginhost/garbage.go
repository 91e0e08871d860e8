package pluginhost

import (
	"errors"
	"net/textproto"
	"strings"
)

// garbage are texts of errors of net/http, which has no types for them, about bytes that are no HTTP.
var garbage = []string{"malformed", "chunk length", "invalid Content-Length", "bad Content-Length", "unsupported transfer encoding",
	"too many transfer encodings"}

// isGarbage reports whether a process answered with something that is no HTTP response. A process that ends, or closes a connection, is
// none.
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

// killBroken ends a process that broke the protocol: nothing that it says on can be trusted. Its supervisor starts it again.
func (p *Plugin) killBroken(x *process, err error) {
	x.broken.Do(func() {
		p.log.Error("plugin answers garbage and is started again", "pid", x.cmd.Process.Pid, "error", oneLine(err))
		x.force()
	})
}
