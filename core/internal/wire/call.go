package wire

import (
	"context"
	"crypto/subtle"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"

	goplugin "github.com/hashicorp/go-plugin"

	"github.com/wattle-portal/wattle/core/internal/scope"
	"github.com/wattle-portal/wattle/core/module"
)

// Version of the protocol. A core speaks all versions that its plugins may still speak; so far there is one.
const Version = 1

// Name of the one service that a plugin dispenses.
const Name = "module"

// Handshake keeps a plugin from being started by hand. It is no secret.
var Handshake = goplugin.HandshakeConfig{MagicCookieKey: "WATTLE_PLUGIN", MagicCookieValue: "module"}

// MaxMessage bounds a gRPC message: a batch of an import, of an outbox.
const MaxMessage = 16 << 20

// LifelineFD is the file in a plugin's process that ends when core is gone, however it went.
const LifelineFD = 3

// Headers of HTTP between core and a plugin. Coming from anywhere else they are stripped.
const (
	prefix         = "X-Wattle-"
	HeaderToken    = prefix + "Token"    // of this start; both sockets have their own
	HeaderCall     = prefix + "Call"     // core to plugin: JSON of Call
	HeaderHandle   = prefix + "Handle"   // plugin to core: on whose behalf
	HeaderDeadline = prefix + "Deadline" // milliseconds that are left
)

// Call says on whose behalf something runs in a plugin. All but the handle is for the module's eyes; core believes only the
// handle, which a plugin cannot mint and which ends with the call.
type Call struct {
	Scope  scope.Scope  `json:"scope"`
	Client scope.Client `json:"client"`
	Handle string       `json:"handle"`
	Now    int64        `json:"now"` // unix nanoseconds of the injected clock
}

// Encode is the JSON of the call.
func (c Call) Encode() []byte {
	b, _ := json.Marshal(c) // strings and numbers always encode
	return b
}

// Headers copies those that travel into a module: not those by which a caller shows who he is, nor core's own.
func Headers(h http.Header) http.Header {
	out := http.Header{}
	for k, v := range h {
		if k == "Authorization" || k == "Cookie" || k == "Traceparent" || k == "Tracestate" || strings.HasPrefix(k, prefix) {
			continue
		}
		out[k] = v
	}
	return out
}

// Late reports whether the context has ended or is about to, by its deadline. A callee that gives up at the deadline answers
// with an error of its own a moment before the caller's context ends: the caller is to see that it was late, always.
func Late(ctx context.Context) bool {
	if at, bounded := ctx.Deadline(); bounded && !time.Now().Before(at) {
		<-ctx.Done()
	}
	return ctx.Err() != nil
}

// SetDeadline writes how long a call may take, when it is bounded: rounded up, so that the caller is the first to give up.
func SetDeadline(h http.Header, at time.Time, bounded bool) {
	if bounded {
		h.Set(HeaderDeadline, strconv.FormatInt(max(time.Until(at).Milliseconds(), 0)+1, 10))
	}
}

// Deadline reads how long a call may take.
func Deadline(h http.Header) (time.Time, bool) {
	ms, err := strconv.ParseInt(h.Get(HeaderDeadline), 10, 64)
	if err != nil || ms <= 0 || ms > int64(24*time.Hour/time.Millisecond) {
		return time.Time{}, false
	}
	return time.Now().Add(time.Duration(ms) * time.Millisecond), true
}

// Shown reports whether the request shows the token.
func Shown(r *http.Request, token string) bool {
	return subtle.ConstantTimeCompare([]byte(r.Header.Get(HeaderToken)), []byte(token)) == 1
}

// ManifestOf reads a manifest off the wire. Browser is not set: it is a call of its own.
func (x *Manifest) ManifestOf() module.Manifest {
	return module.Manifest{Key: x.Key, Version: x.Version, Settings: x.Settings, Needs: x.Needs, Uses: x.Uses, Handles: x.Handles,
		Changes: x.Changes, Imports: x.Imports, Schedule: x.Schedule}
}

// FromManifest writes a manifest for the wire.
func FromManifest(m module.Manifest) *Manifest {
	return &Manifest{Key: m.Key, Version: m.Version, Settings: m.Settings, Needs: m.Needs, Uses: m.Uses, Handles: m.Handles,
		Changes: m.Changes, Imports: m.Imports, Schedule: m.Schedule, Browser: m.Browser != nil}
}
