package outbox

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	cloudevent "github.com/cloudevents/sdk-go/v2/event"
	webhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
)

// Webhook is a URL to which events of a label are sent.
type Webhook struct {
	bun.BaseModel `bun:"table:outbox_webhooks,alias:w" json:"-"`

	Label   string    `bun:"label_key,pk" json:"-"`
	ID      string    `bun:"id,pk" json:"id" doc:"Id of the webhook"`
	URL     string    `bun:"url" json:"url" doc:"Address to which events are sent, https only"`
	Types   []string  `bun:"types" json:"types" nullable:"false" doc:"Event types, or prefixes of types that end with a dot; empty: all events, also those that modules send to themselves"`
	Secret  string    `bun:"secret" json:"secret,omitempty" doc:"Standard Webhooks secret; only in the response that creates the webhook"`
	Created time.Time `bun:"created_at" json:"created" doc:"Time of the registration"`
}

// matches reports whether the webhook receives an event type.
func (w Webhook) matches(eventType string) bool {
	for _, t := range w.Types {
		if t == eventType || strings.HasSuffix(t, ".") && strings.HasPrefix(eventType, t) {
			return true
		}
	}
	return len(w.Types) == 0
}

const maxWebhooks = 20 // per label

// AddWebhook registers a webhook of a label and creates its secret. It returns a 400 problem for a URL that is not https, and a 409 problem
// when the label has too many webhooks.
func (o *Outbox) AddWebhook(ctx context.Context, labelKey, address string, types []string) (Webhook, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.User != nil || u.Scheme != "https" && !(o.PlainWebhooks && u.Scheme == "http") {
		return Webhook{}, problem.Refuse(problem.FieldError{Field: "url", Code: problem.CodeInvalid})
	}
	if types == nil {
		types = []string{}
	}
	w := Webhook{Label: labelKey, ID: value.NewID(), URL: u.String(), Types: types, Secret: newSecret(), Created: o.now()}
	sealed := w
	sealed.Secret = o.Key.Seal(webhookPurpose, []byte(w.Secret), w.Label, w.ID)
	return w, o.Store.Tx(ctx, func(ctx context.Context, tx bun.Tx) error {
		n, err := tx.NewSelect().Model((*Webhook)(nil)).Where("label_key = ?", labelKey).Count(ctx)
		if err != nil {
			return err
		}
		if n >= maxWebhooks {
			return problem.Fail(http.StatusConflict, "too_many_webhooks")
		}
		_, err = tx.NewInsert().Model(&sealed).Exec(ctx)
		return err
	})
}

// Webhooks returns the webhooks of a label, oldest first, with their secrets.
func (o *Outbox) Webhooks(ctx context.Context, labelKey string) ([]Webhook, error) {
	hooks, err := webhooksOf(ctx, o.Store.Read(), labelKey)
	for i := range hooks {
		err = errors.Join(err, o.unseal(&hooks[i]))
	}
	return hooks, err
}

func webhooksOf(ctx context.Context, db bun.IDB, labelKey string) ([]Webhook, error) {
	hooks := []Webhook{}
	err := db.NewSelect().Model(&hooks).Where("label_key = ?", labelKey).OrderExpr("created_at, id").Scan(ctx)
	return hooks, err
}

// RemoveWebhook deletes a webhook; its waiting deliveries become dead letters. It returns problem.ErrNotFound when there is no such
// webhook.
func (o *Outbox) RemoveWebhook(ctx context.Context, labelKey, id string) error {
	return o.Store.Tx(ctx, func(ctx context.Context, tx bun.Tx) error {
		res, err := tx.NewDelete().Model((*Webhook)(nil)).Where("label_key = ? AND id = ?", labelKey, id).Exec(ctx)
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			return errors.Join(problem.ErrNotFound, err)
		}
		return nil
	})
}

func (o *Outbox) webhooksFor(ctx context.Context, tx bun.Tx, labelKey, eventType string) (subscribers []string, err error) {
	hooks, err := webhooksOf(ctx, tx, labelKey)
	for _, w := range hooks {
		if w.matches(eventType) {
			subscribers = append(subscribers, webhookLane+w.ID)
		}
	}
	return subscribers, err
}

// post sends an event to a webhook: a CloudEvent as JSON, signed as defined by Standard Webhooks. The signature includes the wall clock
// time, which the receiver compares with its own clock.
func (o *Outbox) post(ctx context.Context, id, moduleKey string, e module.Event) error {
	var w Webhook
	err := o.Store.Read().NewSelect().Model(&w).Where("label_key = ? AND id = ?", e.Label, id).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return errors.New("the webhook was removed")
	}
	if err == nil {
		err = o.unseal(&w)
	}
	if err != nil {
		return retry(err)
	}
	body, err := cloudEvent(moduleKey, e)
	if err != nil {
		return err
	}
	signer, err := webhooks.NewWebhook(w.Secret)
	if err != nil {
		return err
	}
	at := time.Now()
	signature, err := signer.Sign(e.ID, at, body)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, w.URL, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", cloudevent.ApplicationCloudEventsJSON+"; charset=utf-8")
	req.Header.Set(webhooks.HeaderWebhookID, e.ID)
	req.Header.Set(webhooks.HeaderWebhookTimestamp, strconv.FormatInt(at.Unix(), 10))
	req.Header.Set(webhooks.HeaderWebhookSignature, signature)
	client := *o.Web
	// a signed body must not be sent to another address
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	res, err := client.Do(req)
	if err != nil {
		return retry(errors.New("no answer")) // the original error contains the address, which may contain a token
	}
	defer res.Body.Close()
	_, _ = io.CopyN(io.Discard, res.Body, 64<<10) // reads the rest, so that the connection can be reused
	switch {
	case res.StatusCode/100 == 2:
		return nil
	case res.StatusCode == http.StatusGone: // the receiver has unsubscribed
		return errors.New("answered 410")
	}
	return retry(fmt.Errorf("answered %d", res.StatusCode))
}

// cloudEvent returns the event as a CloudEvent in JSON.
func cloudEvent(moduleKey string, e module.Event) ([]byte, error) {
	c := cloudevent.New()
	c.SetID(e.ID)
	c.SetSource("urn:wattle:" + e.Label + ":" + moduleKey)
	c.SetType(e.Type)
	c.SetTime(e.At)
	if e.Key != "" {
		c.SetSubject(e.Key)
	}
	c.SetExtension("sequence", fmt.Sprintf("%019d", e.Seq)) // receivers compare it as a string
	if err := c.SetData(cloudevent.ApplicationJSON, e.Data); err != nil {
		return nil, err
	}
	return json.Marshal(c)
}
