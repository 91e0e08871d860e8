package web

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/go-chi/chi/v5/middleware"

	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/modules/registry"
	"github.com/wattle-portal/wattle/core/internal/storage/audit"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
)

// runAudited passes the call to its module. A write by staff or an API key is recorded in the audit log before it is executed; if recording
// fails, the call is refused with 503. A refusal by the module is recorded after the call.
func (s *Server) runAudited(w http.ResponseWriter, r *http.Request, op *registry.Operation, sc scope.Scope, h http.Handler) {
	e, of := audit.By(sc)
	if !of || op.Effect != module.Write || op.Audited || op.Access == module.Public {
		h.ServeHTTP(w, r)
		return
	}
	e.Action, e.Kind = audit.OperationCalled, op.Name()
	if err := s.Audit.Add(r.Context(), e); err != nil {
		problem.Observe(r.Context(), err)
		problem.Write(w, problem.Fail(http.StatusServiceUnavailable, problem.CodeUnavailable))
		return
	}
	out := middleware.NewWrapResponseWriter(w, r.ProtoMajor)
	h.ServeHTTP(out, r)
	if out.Status() < http.StatusBadRequest {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), 5*time.Second) // the caller may have disconnected
	defer cancel()
	e.Action, e.Reason = audit.OperationRefused, strconv.Itoa(out.Status())
	if err := s.Audit.Add(ctx, e); err != nil {
		problem.Observe(ctx, err)
	}
}
