package marketplace

import (
	"net/http"

	"github.com/wattle-portal/wattle/core/module"
)

// memberRoutes are transfers, activation, moves of shares, access, history and receipt.
func (s *service) memberRoutes() {
	const get, post = http.MethodGet, http.MethodPost
	module.Route(s.API, op(get, "/access", "getAccess", "Whether the member may buy and sell"), module.Customer, module.Read, s.getAccess)
	module.Route(s.API, op(post, "/access", "askAccess", "Ask to be let in to the market"), module.Customer, module.Write, s.askAccess)
}
