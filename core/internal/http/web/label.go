package web

import (
	"net/http"

	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/modules/registry"
	"github.com/wattle-portal/wattle/core/problem"
)

// label returns the label of a request (7-branding-header-missing). The Host header decides if a label owns it, and then the branding
// header must not contradict it; otherwise the branding header decides. If neither names a label, the result is nil.
func (s *Server) label(r *http.Request) (*label.Label, *problem.Problem) {
	var named *label.Label
	branding := r.Header.Get(HeaderBranding)
	if branding != "" {
		named = s.Labels.ByHost(label.NormalHost(branding))
	}
	l := s.Labels.ByHost(label.NormalHost(r.Host))
	switch {
	case l != nil && named != nil && named.Key != l.Key:
		return nil, problem.Fail(http.StatusBadRequest, problem.CodeLabelMismatch)
	case l != nil:
		return l, nil
	case branding != "" && named == nil:
		return nil, problem.Fail(http.StatusBadRequest, problem.CodeUnknownLabel)
	}
	return named, nil
}

// IsEnabled reports whether a label has a module.
func IsEnabled(l *label.Label, moduleKey string) bool {
	_, on := l.Modules[moduleKey]
	return on || moduleKey == registry.Core
}
