package marketplace

import (
	"github.com/danielgtaylor/huma/v2"
)

// base is the path of the operations (7.6-prefix-reconcile).
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

// op returns an operation of the module.
func op(method, path, id, summary, description string) huma.Operation {
	return huma.Operation{Method: method, Path: base + path, OperationID: id, Summary: summary, Description: description}
}
