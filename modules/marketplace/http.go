package marketplace

import (
	"github.com/danielgtaylor/huma/v2"
)

// base is where the operations lie (7.6-prefix-reconcile).
const base = "/sustainable"

func (s *service) routes() {
	s.projectRoutes()
	s.offerRoutes()
	s.auditRoutes()
	s.shareRoutes()
	s.participantRoutes()
	s.orderRoutes()
	s.memberRoutes()
}

func op(method, path, id, summary string) huma.Operation {
	return huma.Operation{Method: method, Path: base + path, OperationID: id, Summary: summary}
}
