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

// ordersMost is how many orders a member's list shows.
const ordersMost = 200

// orderRoutes are basket, orders, payments and what staff see of them.
func (s *service) orderRoutes() {
	const get, post, del = http.MethodGet, http.MethodPost, http.MethodDelete
	module.Route(s.API, op(get, "/basket", "getBasket", "The basket"), module.Customer, module.Read, s.getBasket)
	module.Route(s.API, op(post, "/basket", "addToBasket", "Put shares of an offer into the basket; of one that is in it, this number in the place of the other"),
		module.Customer, module.Write, s.addToBasket)
	module.Route(s.API, op(del, "/basket/{identifier}", "removeFromBasket", "Take an offer out of the basket"), module.Customer, module.Write, s.removeFromBasket)
	module.Route(s.API, op(post, "/basket/{identifier}/delete", "removeFromBasketByPost", "As DELETE (7.6-basket-delete-reconcile)"),
		module.Customer, module.Write, s.removeFromBasket)
	module.Route(s.API, op(post, "/basket/order", "placeOrder", "Order the basket"), module.Customer, module.Write, s.placeOrder)

	module.Route(s.API, op(get, "/orders", "getOrders", "The member's orders, newest first"), module.Customer, module.Read, s.getOrders)
	module.Route(s.API, op(post, "/orders/{id}/paylink", "createPayLink", "Get the link to pay an order, made anew when it ended"),
		module.Customer, module.Write, s.payLinkOf)
	old := op(get, "/orders/{id}/paylink", "getPayLink", "As POST, for existing clients (7.6-get-paylink)")
	old.Deprecated = true
	module.Route(s.API, old, module.Customer, module.Write, s.payLinkOf)
	module.Route(s.API, op(del, "/orders/{id}", "cancelOrder", "Cancel an order"), module.Customer, module.Write, s.cancelOrder)
	module.Route(s.API, op(post, "/orders/{id}/withdrawal", "withdrawOrder", "Withdraw from a purchase inside its days; the receipt is mailed"),
		module.Customer, module.Write, s.withdrawOrder)

	webhook := op(post, "/payments/webhook", "paymentWebhook", "A payment provider says that something became of a payment; it is asked and never believed")
	webhook.DefaultStatus = http.StatusOK // nothing else is taken for an answer
	module.Route(s.API, formBody(webhook, map[string]string{"id": "Of the payment, at the provider"}), module.Public, module.Write, s.paymentWebhook)
	module.Route(s.API, op(get, "/sandbox/{payment}", "showSandbox", "Page of the payment provider that moves no money"), module.Public, module.Read, s.showSandbox)
	module.Route(s.API, formBody(op(post, "/sandbox/{payment}", "useSandbox", "What was chosen on that page"), map[string]string{"do": "pay, cancel, fail or expire; of a paid one charge_back, refund_part, reverse or fail_refund"}),
		module.Public, module.Write, s.useSandbox)

	module.Route(s.API, op(get, "/staff/orders", "listOrders", "Orders of all members, newest first"), module.APIKey, module.Read, s.listOrders)
	module.Route(s.API, op(get, "/staff/payments", "listPayments", "Payments, newest first"), module.APIKey, module.Read, s.listPayments)
	module.Route(s.API, op(post, "/staff/payments/{id}/refund", "refundPayment", "Give a payment back that no order stands for"), module.APIKey, module.Write, s.refundPayment)
	module.Route(s.API, op(post, "/staff/payments/{id}/seen", "seePayment", "Say that a payment that came late has been seen to"), module.APIKey, module.Write, s.seePayment)
	module.Route(s.API, op(post, "/staff/payments/{id}/cancel-sale", "cancelSale", "Cancel a sale of which a part was refunded"), module.APIKey, module.Write, s.cancelSaleOf)
}

type basketAnswer struct{ Body order.Basket }

// basketNow is the basket of the call as it is.
func (s *service) basketNow(ctx context.Context) (*basketAnswer, error) {
	set, err := module.Settings[Settings](ctx)
	if err != nil {
		return nil, err
	}
	lines, err := order.BasketOf(ctx, s.host.DB)
	if err != nil {
		return nil, err
	}
	return &basketAnswer{order.NewBasket(lines, module.Today(ctx, s.host.Now()), set.Transfer)}, nil
}

// getBasket is 7.6-get-basket.
func (s *service) getBasket(ctx context.Context, _ *struct{}) (*basketAnswer, error) {
	return s.basketNow(ctx)
}

// offerWanted is what goes into a basket.
type offerWanted struct {
	Identifier  string                `json:"identifier" maxLength:"100"`
	Reference   string                `json:"reference,omitempty" maxLength:"100"`
	ProjectCode string                `json:"project_code,omitempty" maxLength:"100"`
	Shares      int64                 `json:"shares"`
	Address     participation.Address `json:"address" required:"false"`
}

type addInput struct {
	Body struct {
		Offer  offerWanted       `json:"offer"`
		Basket *order.BasketSeen `json:"basket,omitempty" doc:"As the browser has it; the server's own counts (4-basket-storage-reconcile)"`
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
	return s.basketNow(ctx)
}

type itemInput struct {
	Identifier string `path:"identifier" maxLength:"100" doc:"Of the offer"`
}

// removeFromBasket is 7.6-basket-delete and 7.6-basket-delete-post.
func (s *service) removeFromBasket(ctx context.Context, in *itemInput) (*basketAnswer, error) {
	if err := order.Remove(ctx, s.host.DB, in.Identifier); err != nil {
		return nil, err
	}
	return s.basketNow(ctx)
}

type placeInput struct {
	Key  string `header:"Idempotency-Key" maxLength:"64" doc:"With it, sending the same twice orders once"`
	Body struct {
		Waived bool              `json:"waiveWithdrawalPeriod" required:"false"`
		Start  string            `json:"start_date" required:"false" maxLength:"40" doc:"Transfer date, YYYY-MM-DD"`
		Basket *order.BasketSeen `json:"basket,omitempty" doc:"As the browser shows it: another one than the server's is not ordered"`
	}
}

// Placed is what came of ordering.
type Placed struct {
	Status string       `json:"status" enum:"SUCCESS,WITHDRAWAL_NOT_WAIVED,BASKET_EMPTY,START_DATE_INVALID,OFFER_UNAVAILABLE,BASKET_CHANGED"`
	Basket order.Basket `json:"basket"`
	Order  *order.Order `json:"order,omitempty" doc:"With SUCCESS"`
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
		start = value.Day{} // START_DATE_INVALID, if nothing else is wrong
	}
	w := &order.Placing{By: module.ScopeOf(ctx), Key: in.Key,
		Wish: order.Wish{Waived: in.Body.Waived, Start: start, Seen: in.Body.Basket, Buyer: mine.Relation()}}
	if w.Key != "" {
		w.Digest = digestOf(in.Body)
	}
	out, err := s.placer.Place(ctx, w)
	if err != nil {
		return nil, err
	}
	answer := &placedAnswer{Placed{Status: out.Outcome, Basket: out.Basket}}
	if out.Order != nil {
		if out.Lines == nil { // placed before, under the same key
			all, err := order.LinesOf(ctx, s.host.DB, out.Order.ID)
			if err != nil {
				return nil, err
			}
			out.Lines = all[out.Order.ID]
		}
		shown, err := s.shownOrder(ctx, *out.Order, out.Lines)
		if err != nil {
			return nil, err
		}
		answer.Body.Order = &shown
	}
	return answer, nil
}

// shownOrder is an order for its buyer, now.
func (s *service) shownOrder(ctx context.Context, o order.Row, lines []order.Line) (order.Order, error) {
	set, err := module.Settings[Settings](ctx)
	if err != nil {
		return order.Order{}, err
	}
	return o.Show(lines, state.Zone(ctx), set.WithdrawalDays, module.Today(ctx, s.host.Now())), nil
}

type ordersAnswer struct {
	Body []order.Order `nullable:"false"`
}

// getOrders is 7.6-get-orders.
func (s *service) getOrders(ctx context.Context, _ *struct{}) (*ordersAnswer, error) {
	rows, err := order.Mine(ctx, s.host.DB, ordersMost)
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
		shown, err := s.shownOrder(ctx, o, lines[o.ID])
		if err != nil {
			return nil, err
		}
		out.Body = append(out.Body, shown)
	}
	return out, nil
}

type orderInput struct {
	ID string `path:"id" maxLength:"64" doc:"deal_identifier"`
}

// PayLink is where an order can be paid.
type PayLink struct {
	URL string `json:"url"`
}

type payLinkAnswer struct{ Body PayLink }

// payLinkOf is 7.6-get-paylink and 7.6-post-paylink. It may have the provider make a payment, so it is a write by either method.
func (s *service) payLinkOf(ctx context.Context, in *orderInput) (*payLinkAnswer, error) {
	if module.ScopeOf(ctx).ReadOnly { // before the provider is asked; storing would come too late
		return nil, problem.ErrReadOnly
	}
	url, err := s.payLink(ctx, in.ID)
	return &payLinkAnswer{PayLink{url}}, err
}

type orderAnswer struct{ Body order.Order }

// Cancel is 7.6-delete-order.
func (s *service) cancelOrder(ctx context.Context, in *orderInput) (*orderAnswer, error) {
	o, lines, _, err := s.endOrder(ctx, in.ID, cancelling)
	if err != nil {
		return nil, err
	}
	shown, err := s.shownOrder(ctx, o, lines)
	return &orderAnswer{shown}, err
}

type webhookInput struct {
	RawBody []byte `contentType:"application/x-www-form-urlencoded"`
}

// providerID is the form of the id of a payment at any provider.
var providerID = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// paymentWebhook answers 200 to every id, known or not: a provider tries again what is not taken, and a stranger learns nothing.
func (s *service) paymentWebhook(ctx context.Context, in *webhookInput) (*struct{}, error) {
	form, err := url.ParseQuery(strings.TrimSpace(string(in.RawBody)))
	id := form.Get("id")
	if err != nil || !providerID.MatchString(id) {
		return nil, nil
	}
	return nil, s.heard(ctx, id)
}

// formBody describes a body that is a form to OpenAPI.
func formBody(o huma.Operation, fields map[string]string) huma.Operation {
	schema := &huma.Schema{Type: huma.TypeObject, Properties: map[string]*huma.Schema{}}
	for name, doc := range fields {
		schema.Properties[name] = &huma.Schema{Type: huma.TypeString, Description: doc}
	}
	o.RequestBody = &huma.RequestBody{Content: map[string]*huma.MediaType{"application/x-www-form-urlencoded": {Schema: schema}}}
	return o
}
