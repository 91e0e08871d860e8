package marketplace

import (
	"net/http"

	"github.com/wattle-portal/wattle/core/files"
	"github.com/wattle-portal/wattle/core/module"
)

// memberRoutes registers transfers, activation, moves of shares, access, history and receipt.
func (s *service) memberRoutes() {
	const get, post = http.MethodGet, http.MethodPost
	module.Route(s.API, op(get, "/access", "getAccess", "Get whether the member may buy and sell",
		"For customers. The state is OPEN for all members where the label needs no approval."), module.Customer, module.Read, s.getAccess)
	module.Route(s.API, op(post, "/access", "askAccess", "Ask for access to the market",
		"For customers. Files a change that staff decide. Problems: 409 access_approved when the member has access; 409 change_pending when the request waits for staff."), module.Customer, module.Write, s.askAccess)

	hand := op(post, "/transfers", "createTransfer", "Transfer shares to another member for nothing",
		"For customers. Creates a PRIVATE offer, which staff approve; its shares are transferred on its date. Problems: 400 by field; 404 member_unknown; 409 receiver_contract; 429 after 20 in an hour.") // 7.6-post-transfers
	hand.DefaultStatus = http.StatusCreated
	hand.SkipValidateBody = true // Check reports it by field
	module.Route(s.API, hand, module.Customer, module.Write, s.createTransfer)
	module.Route(s.API, op(post, "/activation/direct/{id}", "activateOffer", "Redeem the code of a personal offer",
		"For customers. The offer is then one of the member's personal offers. Problems: 400 code_invalid; 404 code_unknown; 429 after 60 in an hour."), module.Customer, module.Write, s.activateOffer) // 7.6-post-activation

	move := op(post, "/participations/move", "moveShares", "Move shares to another address",
		"For customers. Moves all items or none: today at once, a later day as a future move. Problems: 400 by field; 409 shares_offered when fewer shares would stay than are offered.") // 7.6-move-shares-path
	move.SkipValidateBody = true // Check reports it by field
	module.Route(s.API, move, module.Customer, module.Write, s.moveShares)
	module.Route(s.API, op(get, "/participations/moves", "listMoves", "List the planned moves of shares, next first",
		"For customers. Returns the member's moves after today."), module.Customer, module.Read, s.listMoves) // 7.6-get-future-moves
	cancel := op(http.MethodDelete, "/participations/moves/{id}", "cancelMove", "Cancel a planned move of shares",
		"For customers. Problems: 404 for an unknown move; 409 transition once it is made.")
	cancel.DefaultStatus = http.StatusNoContent
	module.Route(s.API, cancel, module.Customer, module.Write, s.cancelMove)
	module.Route(s.API, op(get, "/participations/{id}/history", "participationHistory", "List the ledger entries of a participation",
		"For customers. Newest first, 50 on a page. Problem: 404 unless the participation is the member's."), module.Customer, module.Read, s.history)
	files.Download(s.API, op(get, "/participations/{id}/receipt", "participationReceipt", "Download the history of a participation as PDF",
		"For customers. Holds the newest 5,000 entries. Problem: 404 unless the participation is the member's."), module.Customer, s.receipt)
}
