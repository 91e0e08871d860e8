package outbox

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/storage/keyset"
	"github.com/wattle-portal/wattle/core/module"
)

// Routes registers the operations for back offices and staff: webhooks, deliveries and the replay of dead letters.
func (o *Outbox) Routes(api huma.API) {
	module.Route(api, huma.Operation{OperationID: "listWebhooks", Method: http.MethodGet, Path: "/staff/webhooks",
		Extensions: map[string]any{module.ExtScope: "webhooks"},
		Summary:    "List webhooks", Description: "For staff and API keys with the scope webhooks. Returns the webhooks of the label, oldest first, without their secrets."}, module.APIKey, module.Read, o.listWebhooks)
	module.Route(api, huma.Operation{OperationID: "addWebhook", Method: http.MethodPost, Path: "/staff/webhooks",
		Extensions: map[string]any{module.ExtScope: "webhooks"}, DefaultStatus: http.StatusCreated, Summary: "Add a webhook",
		Description: "For staff and API keys with the scope webhooks. Sends the events of the label to the address from now on. The response contains the secret that signs them (Standard Webhooks); no later response does. 400 when the address is not https, 409 too_many_webhooks when the label has 20 already."}, module.APIKey, module.Write, o.addWebhook)
	module.Route(api, huma.Operation{OperationID: "removeWebhook", Method: http.MethodDelete, Path: "/staff/webhooks/{id}",
		Extensions: map[string]any{module.ExtScope: "webhooks"}, DefaultStatus: http.StatusNoContent, Summary: "Remove a webhook",
		Description: "For staff and API keys with the scope webhooks. Sends no more events to the address; deliveries that wait become dead letters. 404 when the label has no such webhook."}, module.APIKey, module.Write, o.removeWebhook)
	module.Route(api, huma.Operation{OperationID: "listDeliveries", Method: http.MethodGet, Path: "/staff/deliveries",
		Extensions:  map[string]any{module.ExtScope: "webhooks"},
		Summary:     "List deliveries of events and mails",
		Description: "For staff and API keys with the scope webhooks. Returns the deliveries of the label with their state and last error, newest first, never their content."}, module.APIKey, module.Read, o.listDeliveries)
	module.Route(api, huma.Operation{OperationID: "replayDelivery", Method: http.MethodPost, Path: "/staff/deliveries/{id}/replay",
		Extensions: map[string]any{module.ExtScope: "webhooks"}, DefaultStatus: http.StatusNoContent, Summary: "Replay a dead letter",
		Description: "For staff and API keys with the scope webhooks. Makes the delivery due at once, with all of its attempts available again. 404 when it is not a dead letter of the label."}, module.APIKey, module.Write, o.replayDelivery)
}

type idInput struct {
	ID string `path:"id" maxLength:"100" doc:"Id of the webhook or of the delivery"`
}

type webhooksAnswer struct {
	Body struct {
		Items []Webhook `json:"items" nullable:"false" doc:"Webhooks of the label"`
	}
}

func (o *Outbox) listWebhooks(ctx context.Context, _ *struct{}) (*webhooksAnswer, error) {
	hooks, err := webhooksOf(ctx, o.Store.Read(), scope.Of(ctx).Label)
	for i := range hooks {
		hooks[i].Secret = ""
	}
	out := &webhooksAnswer{}
	out.Body.Items = hooks
	return out, err
}

type webhookInput struct {
	Body struct {
		URL   string   `json:"url" maxLength:"2000" doc:"Address that receives the events, https only"`
		Types []string `json:"types,omitempty" maxItems:"100" doc:"Event types, or prefixes of types that end with a dot; empty: all events, also those that modules send to themselves"`
	}
}

type webhookAnswer struct{ Body Webhook }

func (o *Outbox) addWebhook(ctx context.Context, in *webhookInput) (*webhookAnswer, error) {
	w, err := o.AddWebhook(ctx, scope.Of(ctx).Label, in.Body.URL, in.Body.Types)
	return &webhookAnswer{w}, err
}

func (o *Outbox) removeWebhook(ctx context.Context, in *idInput) (*struct{}, error) {
	return nil, o.RemoveWebhook(ctx, scope.Of(ctx).Label, in.ID)
}

// Delivery is a delivery as shown to staff: its state, never its content.
type Delivery struct {
	ID         string     `json:"id" doc:"Id of the delivery"`
	State      string     `json:"state" enum:"WAITING,DONE,DEAD" doc:"WAITING: another attempt follows; DONE: delivered; DEAD: given up, and may be replayed"`
	Kind       string     `json:"kind" enum:"event,mail,refused" doc:"What is delivered; refused: neither, because what the module published is malformed"`
	Type       string     `json:"type" doc:"Type of the event; empty for a mail"`
	Module     string     `json:"module" doc:"Key of the module that published the event"`
	Message    string     `json:"message" doc:"Id of the event"`
	Subscriber string     `json:"subscriber" doc:"Key of a module, mail, mail:security, or webhook:<id>"`
	Attempts   int        `json:"attempts" doc:"Number of attempts so far"`
	Error      string     `json:"error,omitempty" doc:"Error of the last attempt"`
	Due        time.Time  `json:"due" doc:"Earliest time of the next attempt"`
	Created    time.Time  `json:"created" doc:"When the delivery was created"`
	Ended      *time.Time `json:"ended,omitempty" doc:"When it was delivered or became a dead letter"`
}

type deliveriesInput struct {
	State string `query:"state" enum:"WAITING,DONE,DEAD" doc:"Only deliveries in this state"`
	keyset.Input
}

type deliveriesAnswer struct{ Body keyset.Page[Delivery] }

func (o *Outbox) listDeliveries(ctx context.Context, in *deliveriesInput) (*deliveriesAnswer, error) {
	var rows []struct {
		delivery `bun:",extend"`
		Kind     string `bun:"kind,scanonly"`
		Type     string `bun:"type,scanonly"`
	}
	q := o.Store.Read().NewSelect().Model(&rows).ColumnExpr("d.*, m.kind, m.type").
		Join("JOIN outbox_messages AS m ON m.label_key = d.label_key AND m.module = d.module AND m.id = d.message_id").
		Where("d.label_key = ?", scope.Of(ctx).Label)
	if in.State != "" {
		q = q.Where("d.state = ?", in.State)
	}
	q, err := in.Apply(q, "d.created_at", "d.id")
	if err != nil {
		return nil, err
	}
	if err := q.Scan(ctx); err != nil {
		return nil, err
	}
	items := make([]Delivery, len(rows))
	for i, r := range rows {
		items[i] = Delivery{ID: r.ID, State: r.State, Kind: r.Kind, Type: r.Type, Module: r.Module, Message: r.MessageID,
			Subscriber: r.Subscriber, Attempts: r.Attempts, Error: r.Error, Due: r.Due.UTC(), Created: r.Created.UTC()}
		if !r.Ended.IsZero() {
			items[i].Ended = new(r.Ended.UTC())
		}
	}
	return &deliveriesAnswer{keyset.Cut(in.Input, items, func(d Delivery) (time.Time, string) { return d.Created, d.ID })}, nil
}

func (o *Outbox) replayDelivery(ctx context.Context, in *idInput) (*struct{}, error) {
	return nil, o.Replay(ctx, scope.Of(ctx).Label, in.ID)
}
