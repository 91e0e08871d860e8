package marketplace

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/offer"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/order"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/participation"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
)

// maxOrders is the maximum number of orders in a member's list.
const maxOrders = 200

// orderRoutes registers basket, orders and payments, for members and for staff.
func (s *service) orderRoutes() {
	const get, post, del = http.MethodGet, http.MethodPost, http.MethodDelete
	module.Route(s.API, op(get, "/basket", "getBasket", "Get the basket",
		"For customers. Leaves out offers that no longer exist."), module.Customer, module.Read, s.getBasket)
	module.Route(s.API, op(post, "/basket", "addToBasket", "Put shares of an offer into the basket",
		"For customers who may buy. Replaces the number of shares of an offer that is in the basket already. Problems: 400 own_offer, address_required, shares_range; 403 access_pending; 409 offer_unavailable, basket_full."),
		module.Customer, module.Write, s.addToBasket)
	module.Route(s.API, op(del, "/basket/{identifier}", "removeFromBasket", "Remove an offer from the basket",
		"For customers. Problem: 404 when the offer is not in the basket."), module.Customer, module.Write, s.removeFromBasket)
	module.Route(s.API, op(post, "/basket/{identifier}/delete", "removeFromBasketByPost", "Remove an offer from the basket by POST",
		"For clients that cannot send DELETE (7.6-basket-delete-reconcile). Same as removeFromBasket."),
		module.Customer, module.Write, s.removeFromBasket)
	module.Route(s.API, op(post, "/basket/order", "placeOrder", "Place an order for the basket",
		"For customers who may buy. Reserves the shares until the order is paid or expires; status says what came of it. Problems: 403 access_pending; 409 payments_off; 422 key_reused."), module.Customer, module.Write, s.placeOrder)

	module.Route(s.API, op(get, "/orders", "getOrders", "List the member's orders, newest first",
		"For customers. Returns at most 200 orders."), module.Customer, module.Read, s.getOrders)
	module.Route(s.API, op(post, "/orders/{id}/paylink", "createPayLink", "Get the link to pay an order",
		"For customers. Makes the first payment when it is not ready yet, and a new one when the last has ended. Problems: 404 for an unknown order; 409 not_payable; 503 when the payment provider is unavailable."),
		module.Customer, module.Write, s.payLinkOf)
	old := op(get, "/orders/{id}/paylink", "getPayLink", "Get the link to pay an order by GET",
		"For existing clients (7.6-get-paylink). Same as createPayLink.")
	old.Deprecated = true
	module.Route(s.API, old, module.Customer, module.Write, s.payLinkOf)
	module.Route(s.API, op(del, "/orders/{id}", "cancelOrder", "Cancel an order",
		"For customers. An unpaid order releases its shares; a paid one is undone within its withdrawal period and refunded. Problems: 404 for an unknown order; 409 transition, withdrawal_over."), module.Customer, module.Write, s.cancelOrder)
	module.Route(s.API, op(post, "/orders/{id}/withdrawal", "withdrawOrder", "Withdraw from a purchase within its period",
		"For customers. Undoes a paid order, starts the refund and mails the receipt; sent again, it returns the same receipt. Problems: 404 for an unknown order; 409 transition, withdrawal_over."),
		module.Customer, module.Write, s.withdrawOrder)

	webhook := op(post, "/payments/webhook", "paymentWebhook", "Receive a payment provider's notification",
		"For payment providers. Asks the provider for the payment and applies what it says; nothing in the request is trusted. Returns 200 for unknown payments too.")
	webhook.DefaultStatus = http.StatusOK // providers accept no other status as an answer
	module.Route(s.API, formBody(webhook, map[string]string{"id": "Id of the payment at the provider"}), module.Public, module.Write, s.paymentWebhook)
	module.Route(s.API, op(get, "/sandbox/{payment}", "showSandbox", "Show the payment page of the sandbox",
		"For anybody with the link. No money moves. Problem: 404 for a payment of another provider."), module.Public, module.Read, s.showSandbox)
	module.Route(s.API, formBody(op(post, "/sandbox/{payment}", "useSandbox", "Choose the outcome of a sandbox payment",
		"For anybody with the link. Redirects as a payment provider does; a choice that is no longer possible changes nothing. Problems: 400 for an unknown choice; 404 for a payment of another provider."), map[string]string{"do": "pay, cancel, fail or expire; for a paid payment charge_back, refund_part, reverse or fail_refund"}),
		module.Public, module.Write, s.useSandbox)

	module.Route(s.API, op(get, "/staff/orders", "listOrders", "List the orders of all members, newest first",
		"For staff and API keys. A search for the orders of one member is in the audit log."), module.APIKey, module.Read, s.listOrders)
	module.Route(s.API, op(get, "/staff/payments", "listPayments", "List the payments of all members, newest first",
		"For staff and API keys. With attention=true only payments that somebody must look at."), module.APIKey, module.Read, s.listPayments)
	module.Route(s.API, op(post, "/staff/payments/{id}/refund", "refundPayment", "Refund a payment that no order stands for",
		"For staff and API keys. Starts the refund; it is in the audit log. Problems: 404 for an unknown payment; 409 transition."), module.APIKey, module.Write, s.refundPayment)
	module.Route(s.API, op(post, "/staff/payments/{id}/seen", "seePayment", "Mark a payment as seen by staff",
		"For staff and API keys. Takes it off the list of payments that need attention; it is in the audit log. Problems: 404 for an unknown payment; 409 transition."), module.APIKey, module.Write, s.seePayment)
	module.Route(s.API, op(post, "/staff/payments/{id}/cancel-sale", "cancelSale", "Cancel a sale that was refunded in part",
		"For staff and API keys. The shares return to their sellers and the rest of the money is refunded. Problems: 404 for an unknown payment; 409 transition."), module.APIKey, module.Write, s.cancelSaleOf)
}

type basketAnswer struct{ Body order.Basket }

// currentBasket returns the stored basket of the call.
func (s *service) currentBasket(ctx context.Context) (*basketAnswer, error) {
	set, err := module.Settings[Settings](ctx)
	if err != nil {
		return nil, err
	}
	lines, err := order.BasketOf(ctx, s.host.DB)
	if err != nil {
		return nil, err
	}
	charges, err := s.charges(ctx, s.host.DB, order.ProjectsOf(lines))
	if err != nil {
		return nil, err
	}
	return &basketAnswer{order.NewBasket(lines, module.Today(ctx, s.host.Now()), set.Transfer, charges)}, nil
}

// charges reads the administration costs that the label charges with an order; none when it charges them otherwise.
func (s *service) charges(ctx context.Context, db module.Querier, projects []string) (order.Charges, error) {
	set, err := module.Settings[Settings](ctx)
	if err != nil || !set.Order.AdministrationCosts {
		return nil, err
	}
	known, err := projectsBy(ctx, db, projects)
	out := order.Charges{}
	for code, p := range known {
		out[code] = p.Costs
	}
	return out, err
}

// getBasket is 7.6-get-basket.
func (s *service) getBasket(ctx context.Context, _ *struct{}) (*basketAnswer, error) {
	return s.currentBasket(ctx)
}

// offerWanted is a number of shares to put into a basket.
type offerWanted struct {
	Identifier  string                `json:"identifier" maxLength:"100" doc:"Id of the offer"`
	Reference   string                `json:"reference,omitempty" maxLength:"100" doc:"Reference of the offer; refused if the offer has another one"`
	ProjectCode string                `json:"project_code,omitempty" maxLength:"100" doc:"Code of the project; refused if the offer is of another one"`
	Shares      int64                 `json:"shares" doc:"Number of shares to buy"`
	Address     participation.Address `json:"address" required:"false" doc:"Address that the shares get"`
}

type addInput struct {
	Body struct {
		Offer  offerWanted       `json:"offer" doc:"Offer to buy from, and how many shares of it"`
		Basket *order.BasketSeen `json:"basket,omitempty" doc:"Basket of the browser, which is ignored: the server's counts (4-basket-storage-reconcile)"`
	}
}

// addToBasket is 7.6-post-basket and 7.6-basket-own-offer.
func (s *service) addToBasket(ctx context.Context, in *addInput) (*basketAnswer, error) {
	if err := s.market(ctx); err != nil {
		return nil, err
	}
	mine, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	wish := in.Body.Offer
	if !wish.Address.Complete() { // 5.7-basket-needs-address
		return nil, problem.Refuse(problem.FieldError{Field: "offer.address", Code: codeAddressRequired})
	}
	wanted, err := offer.Find(ctx, s.host.DB, wish.Identifier)
	if err != nil {
		return nil, err
	}
	switch {
	case wanted != nil && wanted.RelationID == mine.Relation():
		return nil, problem.Refuse(problem.FieldError{Field: "offer.identifier", Code: codeOwnOffer})
	case !wanted.Buyable(mine.Relation()),
		wish.Reference != "" && wish.Reference != wanted.Reference,
		wish.ProjectCode != "" && wish.ProjectCode != wanted.ProjectCode:
		return nil, offer.ErrUnavailable
	case wish.Shares < 1 || wish.Shares > wanted.Left:
		return nil, problem.Refuse(problem.FieldError{Field: "offer.shares", Code: codeSharesRange})
	}
	if err := order.Put(ctx, s.host.DB, s.host.Now(), wanted.ID, wish.Shares, wish.Address); err != nil {
		return nil, err
	}
	return s.currentBasket(ctx)
}

type itemInput struct {
	Identifier string `path:"identifier" maxLength:"100" doc:"Id of the offer"`
}

// removeFromBasket is 7.6-basket-delete and 7.6-basket-delete-post.
func (s *service) removeFromBasket(ctx context.Context, in *itemInput) (*basketAnswer, error) {
	if err := order.Remove(ctx, s.host.DB, in.Identifier); err != nil {
		return nil, err
	}
	return s.currentBasket(ctx)
}

type placeInput struct {
	Key  string `header:"Idempotency-Key" maxLength:"64" doc:"Sending the same request again with the same key places one order"`
	Body struct {
		Waived bool              `json:"waiveWithdrawalPeriod" required:"false" doc:"Whether the buyer accepts the terms about withdrawal; nothing is ordered without it"`
		Start  string            `json:"start_date" required:"false" maxLength:"40" doc:"Transfer date, YYYY-MM-DD"`
		Basket *order.BasketSeen `json:"basket,omitempty" doc:"Basket that the browser shows; nothing is ordered when it differs from the server's"`
		Due    *value.Cents      `json:"amount_due,omitempty" doc:"What the browser shows as to be paid on start_date; nothing is ordered when it differs from what the server charges"`
	}
}

// Placed is the outcome of placing an order.
type Placed struct {
	Status string       `json:"status" enum:"SUCCESS,WITHDRAWAL_NOT_WAIVED,BASKET_EMPTY,START_DATE_INVALID,OFFER_UNAVAILABLE,BASKET_CHANGED" doc:"SUCCESS, or why nothing was ordered"`
	Basket order.Basket `json:"basket" doc:"The basket after the call: empty with SUCCESS"`
	Order  *order.Order `json:"order,omitempty" doc:"Only with SUCCESS"`
}

type placedAnswer struct{ Body Placed }

// placeOrder is 7.6-post-order.
func (s *service) placeOrder(ctx context.Context, in *placeInput) (*placedAnswer, error) {
	if err := s.market(ctx); err != nil {
		return nil, err
	}
	mine, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	if set, err := module.Settings[Settings](ctx); err != nil || set.Payment.Provider == "" {
		return nil, cmp.Or[error](err, error(errNoPayments))
	}
	start, err := value.ParseDay(in.Body.Start)
	if err != nil {
		start = value.Day{} // START_DATE_INVALID, unless another outcome comes first
	}
	w := &order.PendingOrder{By: module.ScopeOf(ctx), Key: in.Key,
		Request: order.OrderRequest{Waived: in.Body.Waived, Start: start, Seen: in.Body.Basket, Due: in.Body.Due, Buyer: mine.Relation()}}
	if w.Key != "" {
		w.Digest = digestOf(in.Body)
	}
	out, err := s.placer.Place(ctx, w)
	if err != nil {
		return nil, err
	}
	answer := &placedAnswer{Placed{Status: out.Outcome, Basket: out.Basket}}
	if out.Order != nil {
		if out.Lines == nil { // placed before, with the same key
			all, err := order.LinesOf(ctx, s.host.DB, out.Order.ID)
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
func (s *service) shownOrder(ctx context.Context, o order.Row, lines []order.Line) order.Order {
	return o.Show(lines, state.Zone(ctx), module.Today(ctx, s.host.Now()))
}

type ordersAnswer struct {
	Body []order.Order `nullable:"false"`
}

// getOrders is 7.6-get-orders.
func (s *service) getOrders(ctx context.Context, _ *struct{}) (*ordersAnswer, error) {
	rows, err := order.ForRelation(ctx, s.host.DB, maxOrders)
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(rows))
	for i, o := range rows {
		ids[i] = o.ID
	}
	lines, err := order.LinesOf(ctx, s.host.DB, ids...)
	if err != nil {
		return nil, err
	}
	out := &ordersAnswer{[]order.Order{}}
	for _, o := range rows {
		out.Body = append(out.Body, s.shownOrder(ctx, o, lines[o.ID]))
	}
	return out, nil
}

type orderInput struct {
	ID string `path:"id" maxLength:"64" doc:"deal_identifier"`
}

// PayLink is the link to pay an order.
type PayLink struct {
	URL string `json:"url" doc:"Address of the page of the payment provider"`
}

type payLinkAnswer struct{ Body PayLink }

// payLinkOf is 7.6-get-paylink and 7.6-post-paylink. The provider may create a payment for it, so both methods are writes.
func (s *service) payLinkOf(ctx context.Context, in *orderInput) (*payLinkAnswer, error) {
	if module.ScopeOf(ctx).ReadOnly { // checked before the provider is asked: the payment could not be stored
		return nil, problem.ErrReadOnly
	}
	url, err := s.payLink(ctx, in.ID)
	return &payLinkAnswer{PayLink{url}}, err
}

type orderAnswer struct{ Body order.Order }

// cancelOrder is 7.6-delete-order.
func (s *service) cancelOrder(ctx context.Context, in *orderInput) (*orderAnswer, error) {
	o, lines, _, err := s.endOrder(ctx, in.ID, cancelling)
	if err != nil {
		return nil, err
	}
	return &orderAnswer{s.shownOrder(ctx, o, lines)}, nil
}

type webhookInput struct {
	RawBody []byte `contentType:"application/x-www-form-urlencoded"`
}

// providerID is the form of a payment id at any provider.
var providerID = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// paymentWebhook returns 200 for every id, known or not: providers retry any other status, and the answer reveals nothing.
func (s *service) paymentWebhook(ctx context.Context, in *webhookInput) (*struct{}, error) {
	form, err := url.ParseQuery(strings.TrimSpace(string(in.RawBody)))
	id := form.Get("id")
	if err != nil || !providerID.MatchString(id) {
		return nil, nil
	}
	return nil, s.paymentChanged(ctx, id)
}

// formBody describes a form body in the OpenAPI document.
func formBody(o huma.Operation, fields map[string]string) huma.Operation {
	schema := &huma.Schema{Type: huma.TypeObject, Properties: map[string]*huma.Schema{}}
	for name, doc := range fields {
		schema.Properties[name] = &huma.Schema{Type: huma.TypeString, Description: doc}
	}
	o.RequestBody = &huma.RequestBody{Content: map[string]*huma.MediaType{"application/x-www-form-urlencoded": {Schema: schema}}}
	return o
}
