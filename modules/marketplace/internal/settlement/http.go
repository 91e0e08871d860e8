// Package settlement connects payments with orders: it creates the payments of orders, checks them at the provider, buys, cancels or
// revives their orders, and refunds payments without a valid order. Orders are locked before their payments.
package settlement

import (
	"context"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/operation"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/payment"
)

// codeNotPayable is the error code for an order that cannot be paid.
const codeNotPayable = "marketplace.not_payable"

var errNotPayable = problem.Fail(http.StatusConflict, codeNotPayable)

// Service creates the payments of orders, settles them and refunds them.
type Service struct {
	host      module.Host
	providers *payment.Providers
}

// New returns the service for a host; providers are its payment providers.
func New(h module.Host, providers *payment.Providers) *Service { return &Service{h, providers} }

// Routes registers the payment operations.
func (s *Service) Routes(api huma.API) {
	const get, post = http.MethodGet, http.MethodPost
	module.Route(api, operation.New(post, "/orders/{id}/paylink", "createPayLink", "Get the link to pay an order",
		"For customers. Makes the first payment when it is not ready yet, and a new one when the last has ended. Problems: 404 for an unknown order; 409 not_payable; 503 when the payment provider is unavailable."),
		module.Customer, module.Write, s.payLinkOf)
	old := operation.New(get, "/orders/{id}/paylink", "getPayLink", "Get the link to pay an order by GET",
		"For existing clients (7.6-get-paylink). Same as createPayLink.")
	old.Deprecated = true
	module.Route(api, old, module.Customer, module.Write, s.payLinkOf)
	webhook := operation.New(post, "/payments/webhook", "paymentWebhook", "Receive a payment provider's notification",
		"For payment providers. Asks the provider for the payment and applies what it says; nothing in the request is trusted. Returns 200 for unknown payments too.")
	webhook.DefaultStatus = http.StatusOK // providers accept only this status
	module.Route(api, operation.FormBody(webhook, map[string]string{"id": "Id of the payment at the provider"}), module.Public, module.Write,
		s.paymentWebhook)
	module.Route(api, operation.New(get, "/staff/payments", "listPayments", "List the payments of all members, newest first",
		"For staff and API keys. With attention=true only payments that somebody must look at."), module.APIKey, module.Read, s.listPayments)
	module.Route(api, operation.New(post, "/staff/payments/{id}/refund", "refundPayment", "Refund a payment without an order",
		"For staff and API keys. Starts the refund; it is in the audit log. Problems: 404 for an unknown payment; 409 transition."),
		module.APIKey, module.Write, s.refundPayment)
	module.Route(api, operation.New(post, "/staff/payments/{id}/seen", "seePayment", "Mark a payment as seen by staff",
		"For staff and API keys. Takes it off the list of payments that need attention; it is in the audit log. Problems: 404 for an unknown payment; 409 transition."),
		module.APIKey, module.Write, s.seePayment)
	module.Route(api, operation.New(post, "/staff/payments/{id}/cancel-sale", "cancelSale", "Cancel a sale that was refunded in part",
		"For staff and API keys. The shares return to their sellers and the rest of the money is refunded. Problems: 404 for an unknown payment; 409 transition."),
		module.APIKey, module.Write, s.cancelSaleOf)
}

type orderInput struct {
	ID string `path:"id" maxLength:"64" doc:"deal_identifier"`
}

// PayLink is the link to pay an order.
type PayLink struct {
	URL string `json:"url" doc:"URL of the payment provider's page"`
}

type payLinkAnswer struct{ Body PayLink }

// payLinkOf returns the link to pay an order (7.6-get-paylink, 7.6-post-paylink). It may create a payment, so both methods are writes.
func (s *Service) payLinkOf(ctx context.Context, in *orderInput) (*payLinkAnswer, error) {
	if module.ScopeOf(ctx).ReadOnly { // checked before the provider is called: the payment could not be stored
		return nil, problem.ErrReadOnly
	}
	url, err := s.payLink(ctx, in.ID)
	return &payLinkAnswer{PayLink{url}}, err
}

type webhookInput struct {
	RawBody []byte `contentType:"application/x-www-form-urlencoded"`
}

// providerID matches the payment ids of all providers.
var providerID = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// paymentWebhook returns 200 for every id, known or not: providers retry on any other status, and the response reveals nothing.
func (s *Service) paymentWebhook(ctx context.Context, in *webhookInput) (*struct{}, error) {
	form, err := url.ParseQuery(strings.TrimSpace(string(in.RawBody)))
	id := form.Get("id")
	if err != nil || !providerID.MatchString(id) {
		return nil, nil
	}
	return nil, s.PaymentChanged(ctx, id)
}
