package order

import (
	"cmp"
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/access"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/operation"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/payment"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
)

// maxOrders is the maximum number of orders in a member's list.
const maxOrders = 200

var (
	errNoPayments     = problem.Fail(http.StatusConflict, codePaymentsOff)
	errWithdrawalOver = problem.Fail(http.StatusConflict, codeWithdrawalOver)
)

// Service serves baskets and orders, and imports orders.
type Service struct {
	host   module.Host
	access *access.Service
	placer *Placer
}

// New returns the service for a host. Only members with access may trade.
func New(h module.Host, access *access.Service) *Service {
	return &Service{h, access, NewPlacer(h.DB, h.Now, ChargesOf)}
}

// Routes registers the basket and order operations.
func (s *Service) Routes(api huma.API) {
	const get, post, del = http.MethodGet, http.MethodPost, http.MethodDelete
	module.Route(api, operation.New(get, "/basket", "getBasket", "Get the basket",
		"For customers. Leaves out offers that no longer exist."), module.Customer, module.Read, s.getBasket)
	module.Route(api, operation.New(post, "/basket", "addToBasket", "Put shares of an offer into the basket",
		"For customers who may buy. Replaces the number of shares of an offer that is in the basket already. Problems: 400 own_offer, address_required, shares_range; 403 access_pending; 409 offer_unavailable, basket_full."),
		module.Customer, module.Write, s.addToBasket)
	module.Route(api, operation.New(del, "/basket/{identifier}", "removeFromBasket", "Remove an offer from the basket",
		"For customers. Problem: 404 when the offer is not in the basket."), module.Customer, module.Write, s.removeFromBasket)
	module.Route(api, operation.New(post, "/basket/{identifier}/delete", "removeFromBasketByPost", "Remove an offer from the basket by POST",
		"For clients that cannot send DELETE (7.6-basket-delete-reconcile). Same as removeFromBasket."),
		module.Customer, module.Write, s.removeFromBasket)
	module.Route(api, operation.New(post, "/basket/order", "placeOrder", "Place an order for the basket",
		"For customers who may buy. Reserves the shares until the order is paid or expires; status says what came of it. Problems: 403 access_pending; 409 payments_off; 422 key_reused."),
		module.Customer, module.Write, s.placeOrder)
	module.Route(api, operation.New(get, "/orders", "getOrders", "List the member's orders, newest first",
		"For customers. Returns at most 200 orders."), module.Customer, module.Read, s.getOrders)
	module.Route(api, operation.New(del, "/orders/{id}", "cancelOrder", "Cancel an order",
		"For customers. An unpaid order releases its shares; a paid one is undone within its withdrawal period and refunded. Problems: 404 for an unknown order; 409 transition, withdrawal_over."),
		module.Customer, module.Write, s.cancelOrder)
	module.Route(api, operation.New(post, "/orders/{id}/withdrawal", "withdrawOrder", "Withdraw from a purchase within its period",
		"For customers. Undoes a paid order, starts the refund and mails the receipt; sent again, it returns the same receipt. Problems: 404 for an unknown order; 409 transition, withdrawal_over."),
		module.Customer, module.Write, s.withdrawOrder)
	module.Route(api, operation.New(get, "/staff/orders", "listOrders", "List the orders of all members, newest first",
		"For staff and API keys. A search for the orders of one member is in the audit log."), module.APIKey, module.Read, s.listOrders)
}

type placeInput struct {
	Key  string `header:"Idempotency-Key" maxLength:"64" doc:"Sending the same request again with the same key places one order"`
	Body struct {
		Waived bool         `json:"waiveWithdrawalPeriod" required:"false" doc:"Whether the buyer accepts the terms about withdrawal; nothing is ordered without it"`
		Start  string       `json:"start_date" required:"false" maxLength:"40" doc:"Transfer date, YYYY-MM-DD"`
		Basket *BasketSeen  `json:"basket,omitempty" doc:"Basket that the browser displays; nothing is ordered when it differs from the server's"`
		Due    *value.Cents `json:"amount_due,omitempty" doc:"Amount due on start_date that the browser displays; nothing is ordered when it differs from what the server charges"`
	}
}

// Placed is the outcome of placing an order.
type Placed struct {
	Status string `json:"status" enum:"SUCCESS,WITHDRAWAL_NOT_WAIVED,BASKET_EMPTY,START_DATE_INVALID,OFFER_UNAVAILABLE,BASKET_CHANGED" doc:"SUCCESS, or why nothing was ordered"`
	Basket Basket `json:"basket" doc:"The basket after the call: empty with SUCCESS"`
	Order  *Order `json:"order,omitempty" doc:"Only with SUCCESS"`
}

type placedAnswer struct{ Body Placed }

// placeOrder places an order for the contents of the basket (7.6-post-order).
func (s *Service) placeOrder(ctx context.Context, in *placeInput) (*placedAnswer, error) {
	if err := s.access.RequireTrade(ctx); err != nil {
		return nil, err
	}
	mine, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	if set, err := payment.SettingsOf(ctx); err != nil || set.Provider == "" {
		return nil, cmp.Or[error](err, error(errNoPayments))
	}
	start, err := value.ParseDay(in.Body.Start)
	if err != nil {
		start = value.Day{} // START_DATE_INVALID, unless another check fails first
	}
	pending := &PendingOrder{By: module.ScopeOf(ctx), Key: in.Key,
		Request: OrderRequest{Waived: in.Body.Waived, Start: start, Seen: in.Body.Basket, Due: in.Body.Due, Buyer: mine.Relation()}}
	if pending.Key != "" {
		pending.Digest = operation.Digest(in.Body)
	}
	out, err := s.placer.Place(ctx, pending)
	if err != nil {
		return nil, err
	}
	answer := &placedAnswer{Placed{Status: out.Outcome, Basket: out.Basket}}
	if out.Order != nil {
		if out.Lines == nil { // already placed with the same key
			all, err := LinesOf(ctx, s.host.DB, out.Order.ID)
			if err != nil {
				return nil, err
			}
			out.Lines = all[out.Order.ID]
		}
		answer.Body.Order = new(s.shownOrder(ctx, *out.Order, out.Lines))
	}
	return answer, nil
}

// shownOrder returns an order as its buyer sees it now.
func (s *Service) shownOrder(ctx context.Context, o Row, lines []Line) Order {
	return o.Show(lines, state.Zone(ctx), module.Today(ctx, s.host.Now()))
}

type ordersAnswer struct {
	Body []Order `nullable:"false"`
}

// getOrders lists the orders of the calling member (7.6-get-orders).
func (s *Service) getOrders(ctx context.Context, _ *struct{}) (*ordersAnswer, error) {
	rows, err := ofRelation(ctx, s.host.DB, maxOrders)
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(rows))
	for i, o := range rows {
		ids[i] = o.ID
	}
	lines, err := LinesOf(ctx, s.host.DB, ids...)
	if err != nil {
		return nil, err
	}
	out := &ordersAnswer{[]Order{}}
	for _, o := range rows {
		out.Body = append(out.Body, s.shownOrder(ctx, o, lines[o.ID]))
	}
	return out, nil
}

type orderInput struct {
	ID string `path:"id" maxLength:"64" doc:"deal_identifier"`
}

type orderAnswer struct{ Body Order }

// cancelOrder cancels an order of the calling member (7.6-delete-order).
func (s *Service) cancelOrder(ctx context.Context, in *orderInput) (*orderAnswer, error) {
	o, lines, _, err := s.endOrder(ctx, in.ID, cancelling)
	if err != nil {
		return nil, err
	}
	return &orderAnswer{s.shownOrder(ctx, o, lines)}, nil
}
