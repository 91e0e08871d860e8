package pluginhost

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"

	"github.com/wattle-portal/wattle/core/internal/base/outside"
	"github.com/wattle-portal/wattle/core/internal/modules/wire"
)

// web makes a plugin's call to an external service, if the operator has granted the host. A redirect is a separate call.
func (p *Plugin) web(w http.ResponseWriter, r *http.Request) {
	fail := func(status int, fault, reason string) {
		w.Header().Set(wire.HeaderFault, fault)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, reason) // fails only if the plugin has exited
	}
	u, err := url.Parse(r.Header.Get(wire.HeaderWeb))
	if err != nil || u.Hostname() == "" || u.Scheme != "https" && u.Scheme != "http" {
		fail(http.StatusBadRequest, wire.FaultFailed, "not an address of the web")
		return
	}
	if !p.mayVisit(u.Hostname()) {
		p.countBack(backRefused)
		fail(http.StatusForbidden, wire.FaultRefused, "")
		return
	}
	leave, ok := admit(r.Context(), p.guard.back)
	if !ok {
		p.report("it calls the portal too often at once; the rest are answered 503", "calls", p.guard.limits.Calls)
		p.countBack(backBusy)
		w.Header().Set("Retry-After", "1")
		fail(http.StatusServiceUnavailable, wire.FaultFailed, "too many calls at once")
		return
	}
	defer leave()
	ctx := r.Context()
	if at, bounded := wire.Deadline(r.Header); bounded {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, at)
		defer cancel()
	}
	out := (&http.Request{Method: r.Method, URL: u, Host: r.Host, Header: r.Header.Clone(), Body: r.Body,
		ContentLength: r.ContentLength}).WithContext(ctx)
	wire.RemoveCoreHeaders(out.Header)
	if out.ContentLength == 0 {
		out.Body = http.NoBody
	}
	resp, err := p.outside.RoundTrip(out)
	switch {
	case errors.Is(err, outside.ErrPrivate):
		fail(http.StatusForbidden, wire.FaultPrivate, "")
		return
	case errors.Is(err, outside.ErrTooLarge):
		fail(http.StatusBadGateway, wire.FaultLarge, "")
		return
	case ctx.Err() != nil:
		panic(http.ErrAbortHandler) // the plugin has the same deadline and detects that it has passed
	case err != nil:
		fail(http.StatusBadGateway, wire.FaultFailed, err.Error())
		return
	}
	defer func() { _ = resp.Body.Close() }() // the rest of the body is not needed
	for k, v := range resp.Header {
		w.Header()[k] = v
	}
	w.Header().Del(wire.HeaderFault)
	w.WriteHeader(resp.StatusCode)
	if _, err := io.Copy(flushing{w, http.NewResponseController(w)}, resp.Body); err != nil {
		panic(http.ErrAbortHandler) // an incomplete response must not look complete
	}
}
