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

	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/modules/contract"
	"github.com/wattle-portal/wattle/core/module"
)

// Version is the version of the protocol, which is that of the contract.
const Version = int(contract.Current)

// Name is the name of a plugin's only service.
const Name = "module"

// Handshake detects that a plugin was started manually. It is not a secret.
var Handshake = goplugin.HandshakeConfig{MagicCookieKey: "WATTLE_PLUGIN", MagicCookieValue: "module"}

// MaxMessage is the maximum size of a gRPC message in bytes, such as an import batch or outbox rows.
const MaxMessage = 16 << 20

// LifelineFD is a file descriptor in a plugin's process. It reaches end of file when core has exited, for any reason.
const LifelineFD = 3

// HTTP headers between core and a plugin. They are removed from the requests of other clients.
const (
	prefix         = "X-Wattle-"
	HeaderToken    = prefix + "Token"    // token for this start of the plugin; each socket has its own
	HeaderCall     = prefix + "Call"     // core to plugin: JSON of Call
	HeaderHandle   = prefix + "Handle"   // plugin to core: handle of the call in which the plugin makes this call
	HeaderDeadline = prefix + "Deadline" // remaining milliseconds
	HeaderWeb      = prefix + "Web"      // plugin to core: URL of the external service to call
	HeaderFault    = prefix + "Fault"    // core to plugin: why a call to an external service has no response; the body has details
)

// Call is the context of a call in a plugin. All fields except the handle are only for the module. Core trusts only the handle, which a
// plugin cannot forge and which expires with the call.
type Call struct {
	Scope  scope.Scope  `json:"scope"`
	Client scope.Client `json:"client"`
	Handle string       `json:"handle"`
	Now    int64        `json:"now"` // time of the injected clock, in Unix nanoseconds
}

// Faults of a call to an external service.
const (
	FaultRefused = "refused" // the plugin may not call this host
	FaultPrivate = "private" // outside.ErrPrivate
	FaultLarge   = "large"   // outside.ErrTooLarge
	FaultFailed  = "failed"
)

// RemoveCoreHeaders removes core's own headers.
func RemoveCoreHeaders(h http.Header) {
	for k := range h {
		if strings.HasPrefix(k, prefix) {
			delete(h, k)
		}
	}
}

// Encode returns the JSON of the call.
func (c Call) Encode() []byte {
	b, _ := json.Marshal(c) // encoding strings and numbers never fails
	return b
}

// Headers returns a copy of the headers for a module: without the caller's credentials, and without core's own headers.
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

// Late reports whether the context has ended or is about to reach its deadline. A callee that stops at the deadline may return an error
// just before the caller's context ends. The caller must always see the expired deadline instead of that error.
func Late(ctx context.Context) bool {
	if at, bounded := ctx.Deadline(); bounded && !time.Now().Before(at) {
		<-ctx.Done()
	}
	return ctx.Err() != nil
}

// SetDeadline writes the remaining time of a call, if the call has a deadline. The time is rounded up, so that the caller's deadline
// expires first.
func SetDeadline(h http.Header, at time.Time, bounded bool) {
	if bounded {
		h.Set(HeaderDeadline, strconv.FormatInt(max(time.Until(at).Milliseconds(), 0)+1, 10))
	}
}

// Deadline reads the deadline of a call.
func Deadline(h http.Header) (time.Time, bool) {
	ms, err := strconv.ParseInt(h.Get(HeaderDeadline), 10, 64)
	if err != nil || ms <= 0 || ms > int64(24*time.Hour/time.Millisecond) {
		return time.Time{}, false
	}
	return time.Now().Add(time.Duration(ms) * time.Millisecond), true
}

// HasToken reports whether the request has the token.
func HasToken(r *http.Request, token string) bool {
	return subtle.ConstantTimeCompare([]byte(r.Header.Get(HeaderToken)), []byte(token)) == 1
}

// ManifestOf converts a protobuf message to a manifest. Browser is not set: it is a separate call.
func (x *Manifest) ManifestOf() module.Manifest {
	var permissions *module.Permissions
	if x.Permissions != nil {
		permissions = &module.Permissions{Core: x.Permissions.Core, Hosts: x.Permissions.Hosts}
	}
	return module.Manifest{Permissions: permissions, Key: x.Key, Version: x.Version, Settings: x.Settings, Needs: x.Needs, Uses: x.Uses,
		Handles: x.Handles, Changes: x.Changes, Imports: x.Imports, Schedule: x.Schedule, Problems: x.Problems}
}

// FromManifest converts a manifest to its protobuf message.
func FromManifest(m module.Manifest) *Manifest {
	var permissions *Permissions
	if m.Permissions != nil {
		permissions = &Permissions{Core: m.Permissions.Core, Hosts: m.Permissions.Hosts}
	}
	return &Manifest{Permissions: permissions, Key: m.Key, Version: m.Version, Settings: m.Settings, Needs: m.Needs, Uses: m.Uses,
		Handles: m.Handles, Changes: m.Changes, Imports: m.Imports, Schedule: m.Schedule, Problems: m.Problems, Browser: m.Browser != nil}
}
