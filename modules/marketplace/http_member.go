package marketplace

import (
	"net/http"

	"github.com/wattle-portal/wattle/core/files"
	"github.com/wattle-portal/wattle/core/module"
)

// memberRoutes are transfers, activation, moves of shares, access, history and receipt.
func (s *service) memberRoutes() {
	const get, post = http.MethodGet, http.MethodPost
	module.Route(s.API, op(get, "/access", "getAccess", "Whether the member may buy and sell"), module.Customer, module.Read, s.getAccess)
	module.Route(s.API, op(post, "/access", "askAccess", "Ask to be let in to the market"), module.Customer, module.Write, s.askAccess)

	hand := op(post, "/transfers", "createTransfer", "Hand shares to another member") // 7.6-post-transfers
	hand.DefaultStatus = http.StatusCreated
	hand.SkipValidateBody = true // Check says it better
	module.Route(s.API, hand, module.Customer, module.Write, s.createTransfer)
	module.Route(s.API, op(post, "/activation/direct/{id}", "activateOffer", "Redeem the code of a personal offer"), module.Customer, module.Write, s.activateOffer) // 7.6-post-activation

	move := op(post, "/participations/move", "moveShares", "Move shares to another address") // 7.6-move-shares-path
	move.SkipValidateBody = true                                                             // Check says it better
	module.Route(s.API, move, module.Customer, module.Write, s.moveShares)
	module.Route(s.API, op(get, "/participations/moves", "listMoves", "Moves of shares to come, the next one first"), module.Customer, module.Read, s.listMoves) // 7.6-get-future-moves
	cancel := op(http.MethodDelete, "/participations/moves/{id}", "cancelMove", "Take back a move to come")
	cancel.DefaultStatus = http.StatusNoContent
	module.Route(s.API, cancel, module.Customer, module.Write, s.cancelMove)
	module.Route(s.API, op(get, "/participations/{id}/history", "participationHistory", "What happened to the shares of a participation, newest first"), module.Customer, module.Read, s.history)
	files.Download(s.API, op(get, "/participations/{id}/receipt", "participationReceipt", "The history of a participation as PDF"), module.Customer, s.receipt)
}
