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

// Webhook is where a back office of a label wants to be told of events.
type Webhook struct {
	bun.BaseModel `bun:"table:outbox_webhooks,alias:w" json:"-"`

	Label   string    `bun:"label_key,pk" json:"-"`
	ID      string    `bun:"id,pk" json:"id"`
	URL     string    `bun:"url" json:"url"`
	Types   []string  `bun:"types" json:"types" nullable:"false" doc:"Event types, or beginnings of them that end with a dot; empty: all events"`
	Secret  string    `bun:"secret" json:"secret,omitempty" doc:"Standard Webhooks secret; shown only when the webhook is made"`
	Created time.Time `bun:"created_at" json:"created"`
}

// wants reports whether the webhook is to be told of a type of event.
func (w Webhook) wants(eventType string) bool {
	for _, t := range w.Types {
		if t == eventType || strings.HasSuffix(t, ".") && strings.HasPrefix(eventType, t) {
			return true
		}
	}
	return len(w.Types) == 0
}

const maxWebhooks = 20 // of a label

// AddWebhook registers a webhook of a label and makes its secret. Errors: a 400 Problem for an address that is not https, 409 when
// the label has too many.
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

// Webhooks lists those of a label, oldest first, with their secrets.
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

// RemoveWebhook ends a webhook; what waits for it becomes a dead letter. problem.ErrNotFound when it is not there.
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
		if w.wants(eventType) {
			subscribers = append(subscribers, webhookLane+w.ID)
		}
	}
	return subscribers, err
}

// post sends an event to a webhook: a CloudEvent as JSON, signed by Standard Webhooks. The signature's time is wall time, because
// that is what the receiver compares it with.
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
	body, err := cloud(moduleKey, e)
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
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse } // a signed body goes where it was meant to
	res, err := client.Do(req)
	if err != nil {
		return retry(errors.New("no answer")) // the error would hold the address, which may hold a token
	}
	defer res.Body.Close()
	_, _ = io.CopyN(io.Discard, res.Body, 64<<10) // so that the connection can be used again
	switch {
	case res.StatusCode/100 == 2:
		return nil
	case res.StatusCode == http.StatusGone: // the receiver wants no more of it
		return errors.New("answered 410")
	}
	return retry(fmt.Errorf("answered %d", res.StatusCode))
}

// cloud is the event as a CloudEvent in JSON.
func cloud(moduleKey string, e module.Event) ([]byte, error) {
	c := cloudevent.New()
	c.SetID(e.ID)
	c.SetSource("urn:wattle:" + e.Label + ":" + moduleKey)
	c.SetType(e.Type)
	c.SetTime(e.At)
	if e.Key != "" {
		c.SetSubject(e.Key)
	}
	c.SetExtension("sequence", fmt.Sprintf("%019d", e.Seq)) // compared as text
	if err := c.SetData(cloudevent.ApplicationJSON, e.Data); err != nil {
		return nil, err
	}
	return json.Marshal(c)
}
