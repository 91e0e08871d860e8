package outbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	cloudevent "github.com/cloudevents/sdk-go/v2/event"
	webhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"github.com/wattle-portal/wattle/core/coreapi"
	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/modules/asyncapi"
	"github.com/wattle-portal/wattle/core/internal/storage/masterkey"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
)

// backOffice receives webhooks.
type backOffice struct {
	*httptest.Server
	mu     sync.Mutex
	status int
	events []cloudevent.Event
	ids    []string
	secret string
	t      testing.TB
}

func newBackOffice(t testing.TB) *backOffice {
	b := &backOffice{status: http.StatusNoContent, t: t}
	b.Server = httptest.NewServer(b)
	t.Cleanup(b.Close)
	return b
}

func (b *backOffice) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	body, _ := io.ReadAll(r.Body)
	verifier, err := webhooks.NewWebhook(b.secret)
	if err != nil {
		b.t.Error(err)
		return
	}
	if err := verifier.Verify(body, r.Header); err != nil {
		b.t.Errorf("signature: %v", err)
	}
	var e cloudevent.Event
	if err := json.Unmarshal(body, &e); err != nil || e.Validate() != nil {
		b.t.Errorf("%v %v: %s", err, e.Validate(), body)
	}
	if err := asyncapi.CheckWebhook(r.Header, body); err != nil {
		b.t.Errorf("9-events-webhook: %v", err)
	}
	if strings.HasPrefix(e.Type(), "core.") {
		if err := asyncapi.Check(module.Manifest{Key: "core", Publishes: coreapi.Events},
			module.Event{Type: e.Type(), Data: e.Data()}); err != nil {
			b.t.Errorf("9-events-described: %v", err)
		}
	}
	if !strings.HasPrefix(r.Header.Get("Content-Type"), "application/cloudevents+json") {
		b.t.Error(r.Header)
	}
	b.events, b.ids = append(b.events, e), append(b.ids, r.Header.Get("webhook-id"))
	if b.status == http.StatusFound {
		w.Header().Set("Location", b.URL+"/elsewhere")
	}
	w.WriteHeader(b.status)
}

func TestWebhooks(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		office := newBackOffice(t)
		w.Web, w.PlainWebhooks = office.Client(), true
		ctx := context.Background()
		hook, err := w.AddWebhook(ctx, "a", office.URL, []string{"acme.made", "core."})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.AddWebhook(ctx, "b", office.URL, nil); err != nil { // a webhook of another label
			t.Fatal(err)
		}
		t.Run("9-webhook-secrets", func(t *testing.T) {
			var stored []string
			if err := w.Store.Read().NewSelect().Table("outbox_webhooks").Column("secret").Scan(ctx, &stored); err != nil {
				t.Fatal(err)
			}
			if len(stored) != 2 || strings.Contains(strings.Join(stored, " "), strings.TrimPrefix(hook.Secret, "whsec_")) ||
				strings.Contains(strings.Join(stored, " "), "whsec_") {
				t.Errorf("stored are %q", stored)
			}
			if listed, err := w.Webhooks(ctx, "a"); err != nil || listed[0].Secret != hook.Secret {
				t.Errorf("opened are %v, %v", listed, err)
			}
			right := w.Key
			defer func() { w.Key = right }()
			if w.Key, err = masterkey.Load(strings.Repeat("another ", 5), ""); err != nil {
				t.Fatal(err)
			}
			if listed, err := w.Webhooks(ctx, "a"); err == nil { // an encoding can be undone without the key
				t.Errorf("with another key opened are %v", listed)
			}
		})
		office.secret = hook.Secret
		for _, e := range []string{"acme.made", "acme.other"} {
			w.publish(module.Event{Type: e, Key: "r1", Data: json.RawMessage(`{"n":1}`)})
		}
		w.tx(func(ctx context.Context, tx module.Tx) error {
			_, err := tx.File(ctx, module.Change{Kind: "acme.phone"})
			return err
		})
		office.status = http.StatusInternalServerError
		w.work()
		if n := len(w.deliveries(waiting)); n != 2 {
			t.Fatalf("%d wait to be tried again", n)
		}
		office.status = http.StatusFound // a redirect is not followed
		w.clock.Advance(time.Minute)
		w.work()
		office.status = http.StatusNoContent
		w.clock.Advance(time.Minute)
		w.work()
		if n := len(w.deliveries(done)); n != 2 || len(office.events) != 6 {
			t.Fatalf("%d done, %d received", n, len(office.events))
		}
		types := map[string]cloudevent.Event{}
		for i, e := range office.events {
			types[e.Type()] = e
			if office.ids[i] != e.ID() {
				t.Errorf("webhook-id %s of event %s", office.ids[i], e.ID())
			}
		}
		made, filed := types["acme.made"], types[coreapi.EventChangeFiled]
		if made.Source() != "urn:wattle:a:acme" || made.Subject() != "r1" || string(made.Data()) != `{"n":1}` || made.ID() == "" ||
			filed.ID() == "" {
			t.Errorf("%v %v", made, filed)
		}

		office.status = http.StatusGone
		w.publish(module.Event{Type: "acme.made"})
		w.work()
		if d := w.deliveries(dead); len(d) != 1 || strings.Contains(d[0].Error, office.URL) {
			t.Fatalf("%+v", d)
		}
		if err := w.RemoveWebhook(ctx, "b", hook.ID); err == nil {
			t.Error("removed from another label")
		}
		if err := w.RemoveWebhook(ctx, "a", hook.ID); err != nil {
			t.Error(err)
		}
		w.publish(module.Event{Type: "acme.made"})
		w.work()
		if len(w.deliveries("")) != 3 {
			t.Error("a removed webhook still gets events")
		}
	})
}

// Responses end a delivery or cause a retry as described in the AsyncAPI documents.
func TestAnswersOfBackOffices(t *testing.T) {
	w, office := newWorld(t, storetest.SQLite(t)), newBackOffice(t)
	w.Web, w.PlainWebhooks = office.Client(), true
	hook, err := w.AddWebhook(t.Context(), "a", office.URL, []string{"acme.made"})
	if err != nil {
		t.Fatal(err)
	}
	office.secret = hook.Secret
	t.Run("9-events-webhook", func(t *testing.T) {
		count := map[string]int{}
		for status, want := range map[int]string{200: done, 204: done, 299: done, 302: waiting, 400: waiting, 401: waiting, 404: waiting,
			409: waiting, 410: dead, 429: waiting, 500: waiting, 503: waiting} {
			office.status = status
			w.publish(module.Event{Type: "acme.made", Data: json.RawMessage(`{}`)})
			w.work()
			count[want]++
			if n := len(w.deliveries(want)); n != count[want] {
				t.Errorf("after %d there are %d that are %s, not %d", status, n, want, count[want])
			}
		}
	})
}

func TestWebhookAddresses(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for _, address := range []string{"", "http://x.example/", "ftp://x.example", "https://", "https://user:pass@x.example/", "x.example",
			"https://x\n.example"} {
			if _, err := w.AddWebhook(context.Background(), "a", address, nil); problem.Of(err).Status != http.StatusBadRequest {
				t.Errorf("%q: %v", address, err)
			}
		}
		for range maxWebhooks {
			if _, err := w.AddWebhook(context.Background(), "a", "https://x.example/in", nil); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := w.AddWebhook(context.Background(), "a", "https://x.example/in", nil); problem.Of(err).Status != http.StatusConflict {
			t.Errorf("one too many: %v", err)
		}
	})
}

func TestStaffCalls(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		r := module.NewRouter(module.Manifest{Key: "core"})
		w.Routes(r.API)
		call := func(label, method, path, body string) (int, map[string]any) {
			t.Helper()
			req := httptest.NewRequest(method, path, strings.NewReader(body))
			req.Header.Set("Content-Type", "application/json")
			rec := httptest.NewRecorder()
			r.ServeHTTP(rec, req.WithContext(scope.With(req.Context(), scope.Scope{Label: label, Role: scope.RoleKey}, nil)))
			out := map[string]any{}
			if rec.Body.Len() > 0 {
				if err := json.Unmarshal(rec.Body.Bytes(), &out); err != nil {
					t.Fatalf("%s: %v", rec.Body, err)
				}
			}
			return rec.Code, out
		}
		code, hook := call("a", "POST", "/staff/webhooks", `{"url":"https://x.example/in"}`)
		if code != http.StatusCreated || !strings.HasPrefix(hook["secret"].(string), "whsec_") {
			t.Fatal(code, hook)
		}
		code, list := call("a", "GET", "/staff/webhooks", "")
		items := list["items"].([]any)
		if code != http.StatusOK || len(items) != 1 || items[0].(map[string]any)["secret"] != nil {
			t.Error(code, list)
		}
		if _, list := call("b", "GET", "/staff/webhooks", ""); len(list["items"].([]any)) != 0 {
			t.Error("label b sees the webhooks of a")
		}
		if code, out := call("a", "POST", "/staff/webhooks", `{"url":"http://x.example/in"}`); code != http.StatusBadRequest ||
			out["code"] != "invalid" {
			t.Error(code, out)
		}
		if code, _ := call("a", "DELETE", "/staff/webhooks/"+hook["id"].(string), ""); code != http.StatusNoContent {
			t.Error(code)
		}
		w.on("acme.bad", "billing", func(context.Context, module.Event) error { return errors.New("bad data") })
		for range 5 {
			w.publish(module.Event{Type: "acme.bad", Data: json.RawMessage(`{"secret":"x"}`)})
			w.work()
			w.clock.Advance(time.Second)
		}
		seen, next := map[string]bool{}, ""
		for page := 0; page == 0 || next != ""; page++ {
			code, out := call("a", "GET", "/staff/deliveries?state=DEAD&limit=2&after="+next, "")
			if code != http.StatusOK || page > 3 {
				t.Fatal(code, out)
			}
			for _, d := range out["items"].([]any) {
				seen[d.(map[string]any)["id"].(string)] = true
			}
			next, _ = out["next"].(string)
		}
		if len(seen) != 5 {
			t.Errorf("%d deliveries on all pages", len(seen))
		}
		if _, out := call("b", "GET", "/staff/deliveries", ""); len(out["items"].([]any)) != 0 {
			t.Error("label b sees the deliveries of a")
		}
		if code, _ := call("a", "GET", "/staff/deliveries?after=junk", ""); code != http.StatusBadRequest {
			t.Error(code)
		}
		for id := range seen {
			if code, _ := call("b", "POST", "/staff/deliveries/"+id+"/replay", ""); code != http.StatusNotFound {
				t.Error(code)
			}
			if code, _ := call("a", "POST", "/staff/deliveries/"+id+"/replay", ""); code != http.StatusNoContent {
				t.Error(code)
			}
		}
		if n := len(w.deliveries(waiting)); n != 5 {
			t.Errorf("%d replayed", n)
		}
	})
}

func TestWebhooksOfChanges(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		office := newBackOffice(t)
		w.Web, w.PlainWebhooks = office.Client(), true
		hook, err := w.AddWebhook(context.Background(), "a", office.URL, []string{"core."})
		if err != nil {
			t.Fatal(err)
		}
		office.secret, office.status = hook.Secret, http.StatusNoContent
		t.Run("7-webhook-decided", func(t *testing.T) {
			for _, state := range []string{module.Processed, module.Rejected} {
				office.events = nil
				at := w.clock.Now()
				var filed module.Change
				w.tx(func(ctx context.Context, tx module.Tx) (err error) {
					filed, err = tx.File(ctx, module.Change{Kind: "acme.phone"})
					return err
				})
				w.clock.Advance(90 * time.Minute)
				w.tx(func(ctx context.Context, tx module.Tx) error {
					_, err := tx.Decide(ctx, module.Decision{ID: filed.ID, State: state, By: "staff-1", Reason: "because"})
					return err
				})
				w.work()
				got := map[string]map[string]any{}
				for _, e := range office.events {
					var data map[string]any
					if err := json.Unmarshal(e.Data(), &data); err != nil {
						t.Fatal(err)
					}
					got[e.Type()] = data
				}
				pending, exists := got[coreapi.EventChangeFiled]
				if !exists || pending["state"] != module.Pending || pending["id"] != filed.ID {
					t.Errorf("%v", pending)
				}
				if hasKey(pending, "decided") || pending["by"] != "" || pending["reason"] != "" {
					t.Errorf("a pending change has a decision: %v", pending)
				}
				decided := got[coreapi.EventChangeDecided]
				when, err := time.Parse(time.RFC3339, fmt.Sprint(decided["decided"]))
				if err != nil || when.Sub(at).Round(time.Minute) != 90*time.Minute || decided["state"] != state ||
					decided["id"] != filed.ID || decided["by"] != "staff-1" || decided["reason"] != "because" {
					t.Errorf("%v %v", decided, err)
				}
			}
		})
	})
}

func hasKey(data map[string]any, name string) bool {
	_, exists := data[name]
	return exists
}
