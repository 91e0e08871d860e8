package payment

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/wattle-portal/wattle/core/source"
	"github.com/wattle-portal/wattle/core/value"
)

// mollieID matches the payment ids of Mollie; other ids are not put into a path.
var mollieID = regexp.MustCompile(`^tr_[A-Za-z0-9]{1,60}$`)

// mollie is a client of Mollie's Payments API v2. A key that begins with test_ moves no money.
type mollie struct {
	source *source.Source
	base   string
	key    string
}

// NewMollie returns a client of Mollie at a base URL, with the key of a label.
func NewMollie(client *http.Client, base, key string) Provider {
	return newMollie(client, base, key)
}

func newMollie(client *http.Client, base, key string) *mollie {
	return &mollie{source.New(client), strings.TrimRight(base, "/"), key}
}

// mollieAmount is an amount in Mollie's format: "10.00".
type mollieAmount struct {
	Currency string `json:"currency"`
	Value    string `json:"value"`
}

func euros(c value.Cents) *mollieAmount { return &mollieAmount{"EUR", c.String()} }

func (a *mollieAmount) cents() (value.Cents, error) {
	if a == nil || a.Currency != "EUR" {
		return 0, errors.New("not an amount of euros")
	}
	return value.ParseCents(a.Value)
}

// mollieMetadata is returned with the payment, so that a response about another payment is detected.
type mollieMetadata struct {
	Payment string `json:"payment"`
	Order   string `json:"order,omitempty"`
}

type mollieCreate struct {
	Amount      *mollieAmount  `json:"amount"`
	Description string         `json:"description"`
	RedirectURL string         `json:"redirectUrl"`
	CancelURL   string         `json:"cancelUrl,omitempty"`
	WebhookURL  string         `json:"webhookUrl,omitempty"`
	Locale      string         `json:"locale,omitempty"`
	Metadata    mollieMetadata `json:"metadata"`
}

// molliePayment contains the fields of a payment that are used.
type molliePayment struct {
	Resource string          `json:"resource"`
	ID       string          `json:"id"`
	Status   string          `json:"status"`
	Amount   *mollieAmount   `json:"amount"`
	Refunded *mollieAmount   `json:"amountRefunded"`
	Charged  *mollieAmount   `json:"amountChargedBack"`
	Paid     time.Time       `json:"paidAt"`
	Expires  time.Time       `json:"expiresAt"`
	Metadata json.RawMessage `json:"metadata"` // other integrations of the same profile may write any JSON here
	Links    struct {
		Checkout *struct {
			Href string `json:"href"`
		} `json:"checkout"`
	} `json:"_links"`
	Embedded struct {
		Refunds     []mollieRefund     `json:"refunds"`
		Chargebacks []mollieChargeback `json:"chargebacks"`
	} `json:"_embedded"`
}

type mollieRefund struct {
	ID     string        `json:"id"`
	Status string        `json:"status"`
	Amount *mollieAmount `json:"amount"`
}

type mollieChargeback struct {
	Amount   *mollieAmount `json:"amount"`
	Reversed *time.Time    `json:"reversedAt"`
}

// Create implements Provider.
func (m *mollie) Create(ctx context.Context, r Request) (made Made, err error) {
	locale := "nl_NL"
	if r.Locale == "en" {
		locale = "en_GB"
	}
	in := mollieCreate{Amount: euros(r.Amount), Description: r.Description, RedirectURL: r.Return, CancelURL: r.Cancel, WebhookURL: r.Webhook,
		Locale: locale, Metadata: mollieMetadata{r.Key, r.Order}}
	err = m.send(ctx, http.MethodPost, "/payments", "pay-"+r.Key, in, func(data []byte) error {
		p, err := readMollie(data)
		if err != nil {
			return err
		}
		if p.Links.Checkout == nil {
			return errors.New("a payment without a place to pay it")
		}
		page, err := url.Parse(p.Links.Checkout.Href)
		if err != nil || page.Host == "" || page.Scheme != "https" && page.Scheme != "http" {
			return errors.New("a payment whose page has no address")
		}
		if got, err := p.Amount.cents(); err != nil || got != r.Amount {
			return errors.New("a payment of another amount")
		}
		made = Made{p.ID, page.String(), p.Expires}
		return nil
	})
	return made, err
}

// Get implements Provider.
func (m *mollie) Get(ctx context.Context, id string) (found Found, err error) {
	if !mollieID.MatchString(id) {
		return found, ErrUnknown
	}
	err = m.send(ctx, http.MethodGet, "/payments/"+id+"?embed=refunds,chargebacks", "", nil, func(data []byte) error {
		p, err := readMollie(data)
		if err != nil {
			return err
		}
		if p.ID != id {
			return errors.New("an answer about another payment")
		}
		found, err = p.found()
		return err
	})
	return found, err
}

// Refund implements Provider.
func (m *mollie) Refund(ctx context.Context, w Refund) (id string, err error) {
	if !mollieID.MatchString(w.Payment) {
		return "", ErrUnknown
	}
	in := struct {
		Amount      *mollieAmount  `json:"amount"`
		Description string         `json:"description"`
		Metadata    mollieMetadata `json:"metadata"`
	}{euros(w.Amount), w.Description, mollieMetadata{Payment: w.Key}}
	key := "refund-" + w.Key
	if w.Try > 0 { // with the key of a failed refund, Mollie would repeat its old response
		key += "-" + strconv.FormatInt(w.Try, 10)
	}
	err = m.send(ctx, http.MethodPost, "/payments/"+w.Payment+"/refunds", key, in, func(data []byte) error {
		var r struct {
			Resource string `json:"resource"`
			ID       string `json:"id"`
			Status   string `json:"status"`
		}
		if err := json.Unmarshal(data, &r); err != nil {
			return err
		}
		if r.Resource != "refund" || r.ID == "" || r.Status == "failed" || r.Status == "canceled" {
			return errors.New("not a refund that is under way")
		}
		id = r.ID
		return nil
	})
	// Mollie forgets a key after an hour. It then refuses a second attempt, because there is nothing left to refund.
	if refused, ok := errors.AsType[*source.Refused](err); ok && refused.Status == http.StatusUnprocessableEntity {
		if p, getErr := m.Get(ctx, w.Payment); getErr == nil && p.Refunded >= w.Before+w.Amount {
			return "", nil
		}
	}
	return id, err
}

// send sends a request to Mollie. In addition to source.ErrDown, its errors wrap ErrUnknown for a 404 and ErrKey for a refused key.
func (m *mollie) send(ctx context.Context, method, path, key string, in any, read func([]byte) error) error {
	var body []byte
	if in != nil {
		var err error
		if body, err = json.Marshal(in); err != nil {
			return err
		}
	}
	err := m.source.Do(ctx, func(ctx context.Context) (*http.Request, error) {
		req, err := http.NewRequestWithContext(ctx, method, m.base+path, bytes.NewReader(body))
		if err != nil {
			return nil, err
		}
		req.Header.Set("Authorization", "Bearer "+m.key)
		req.Header.Set("Accept", "application/hal+json")
		if in != nil {
			req.Header.Set("Content-Type", "application/json")
		}
		if key != "" {
			req.Header.Set("Idempotency-Key", key)
		}
		return req, nil
	}, read)
	if refused, ok := errors.AsType[*source.Refused](err); ok {
		switch refused.Status {
		case http.StatusNotFound, http.StatusGone:
			return fmt.Errorf("%w: %w", ErrUnknown, err)
		case http.StatusUnauthorized, http.StatusForbidden:
			return fmt.Errorf("%w: %w", ErrKey, err)
		}
	}
	return err
}

func readMollie(data []byte) (p molliePayment, err error) {
	if err := json.Unmarshal(data, &p); err != nil {
		return p, err
	}
	if p.Resource != "payment" || !mollieID.MatchString(p.ID) {
		return p, errors.New("not a payment")
	}
	return p, nil
}

// readReturned reads the refunds and chargebacks of a paid payment. The lists show more than the totals: which refund failed, and which
// chargeback was reversed. Without a list, the total is used.
func (p molliePayment) readReturned(out *Found) error {
	total := func(a *mollieAmount) (value.Cents, error) {
		if a == nil {
			return 0, nil
		}
		n, err := a.cents()
		if err == nil && n < 0 {
			err = errors.New("less than nothing came back")
		}
		return n, err
	}
	refunded, err := total(p.Refunded)
	charged, err2 := total(p.Charged)
	if err := errors.Join(err, err2); err != nil {
		return err
	}
	if p.Embedded.Refunds != nil {
		out.Refunds = []string{}
	}
	if len(p.Embedded.Refunds) > 0 {
		refunded = 0
	}
	for _, r := range p.Embedded.Refunds {
		n, err := total(r.Amount)
		if err != nil {
			return err
		}
		if out.Refunds = append(out.Refunds, r.ID); r.Status != "failed" && r.Status != "canceled" {
			refunded += n
		}
	}
	if len(p.Embedded.Chargebacks) > 0 {
		charged = 0
	}
	for _, c := range p.Embedded.Chargebacks {
		n, err := total(c.Amount)
		if err != nil {
			return err
		}
		if c.Reversed == nil {
			charged += n
		}
	}
	out.Refunded, out.ChargedBack = refunded, charged
	return nil
}

// found returns what Mollie reports about a payment. It returns an error for an unknown status or an invalid amount.
func (p molliePayment) found() (Found, error) {
	amount, err := p.Amount.cents()
	if err != nil {
		return Found{}, err
	}
	out := Found{Amount: amount, Paid: p.Paid}
	var about mollieMetadata
	if json.Unmarshal(p.Metadata, &about) == nil {
		out.Key = about.Payment
	}
	switch p.Status {
	case "open", "pending", "authorized":
		out.State = Open
	case "paid":
		out.State = Paid
		if err := p.readReturned(&out); err != nil {
			return out, err
		}
	case "failed":
		out.State = Failed
	case "canceled":
		out.State = Cancelled
	case "expired":
		out.State = Expired
	default:
		return out, errors.New("a status that is not known")
	}
	return out, nil
}
