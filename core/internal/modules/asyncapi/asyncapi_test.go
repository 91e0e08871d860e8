package asyncapi_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/event"
	"github.com/wattle-portal/wattle/core/internal/modules/asyncapi"
	"github.com/wattle-portal/wattle/core/module"
)

type saved struct {
	Note string   `json:"note" doc:"Id of the note"`
	Kind string   `json:"kind" enum:"short,long"`
	Tags []string `json:"tags,omitempty" nullable:"false"`
}

var acme = module.Manifest{Key: "acme", Version: "1.2.3", Handles: []string{"acme.saved", "account.phone_processed"},
	Publishes: []event.Type{
		event.Of[saved]("acme.saved", "Id of the note", "A note was saved"),
		event.Scheduled("acme.swept", "Old notes are forgotten"),
	}}

func TestDocument(t *testing.T) {
	t.Run("9-events-asyncapi", func(t *testing.T) {
		raw, err := asyncapi.Document(acme)
		require.NoError(t, err)
		var d struct {
			AsyncAPI   string
			Channels   map[string]map[string]any
			Operations map[string]struct {
				Action  string
				Channel map[string]string
			}
			Components struct {
				Messages map[string]struct {
					Tags    []struct{ Name string }
					Payload struct{ AllOf []map[string]any }
				}
				Schemas map[string]map[string]any
			}
		}
		require.NoError(t, json.Unmarshal(raw, &d))
		require.Equal(t, "3.0.0", d.AsyncAPI)
		require.Len(t, d.Operations, 5, "two are published, two are handled, and webhooks")
		require.Equal(t, "send", d.Operations["publish.acme.saved"].Action)
		require.Equal(t, "receive", d.Operations["handle.acme.saved"].Action)
		require.Equal(t, "#/channels/account.phone_processed", d.Operations["handle.account.phone_processed"].Channel["$ref"])
		require.Equal(t, map[string]any{"$ref": "account.json#/channels/account.phone_processed"}, d.Channels["account.phone_processed"])
		require.Empty(t, d.Components.Messages["acme.saved"].Tags)
		require.Equal(t, "internal", d.Components.Messages["acme.swept"].Tags[0].Name)
		require.Equal(t, "#/components/schemas/Event", d.Components.Messages["acme.saved"].Payload.AllOf[0]["$ref"])
		require.Equal(t, "#/components/schemas/CloudEvent", d.Components.Messages["webhook.acme.saved"].Payload.AllOf[0]["$ref"])
		require.Contains(t, d.Channels["webhooks"]["messages"], "acme.swept", "a webhook for all types gets it")
		require.Contains(t, d.Channels["webhooks"]["description"], "those with the tag internal included")
		require.Equal(t, []any{"note", "kind"}, d.Components.Schemas["Saved"]["required"])
		require.NotContains(t, d.Components.Schemas["Saved"], "additionalProperties", "a field may be added")
	})
	for name, types := range map[string][]event.Type{
		"another's prefix": {event.Of[saved]("other.saved", "key", "summary")},
		"no summary":       {event.Of[saved]("acme.saved", "key", "")},
		"no key":           {event.Of[saved]("acme.saved", "", "summary")},
		"no struct":        {event.Of[map[string]string]("acme.saved", "key", "summary")},
		"no type":          {{Name: "acme.saved", Key: "key", Summary: "summary"}},
		"twice":            {event.Of[saved]("acme.saved", "key", "summary"), event.Of[saved]("acme.saved", "key", "summary")},
	} {
		_, err := asyncapi.Document(module.Manifest{Key: "acme", Publishes: types})
		require.Error(t, err, name)
	}
}

func TestCheck(t *testing.T) {
	t.Run("9-events-described", func(t *testing.T) {
		for data, good := range map[string]bool{
			`{"note":"a","kind":"short"}`:                       true,
			`{"note":"a","kind":"long","tags":["x"]}`:           true,
			`{"note":"a","kind":"short","color":"red"}`:         false,
			`{"kind":"short"}`:                                  false,
			`{"note":"a","kind":"middling"}`:                    false,
			`{"note":7,"kind":"short"}`:                         false,
			`{"note":"a","kind":"short","tags":"x"}`:            false,
			`[]`:                                                false,
			`nothing`:                                           false,
			`{"note":"a","kind":"short","tags":[{"name":"x"}]}`: false,
		} {
			err := asyncapi.Check(acme, module.Event{Type: "acme.saved", Key: "a", Data: json.RawMessage(data)})
			require.Equal(t, good, err == nil, "%s: %v", data, err)
		}
		require.ErrorContains(t, asyncapi.Check(acme, module.Event{Type: "acme.lost", Data: json.RawMessage("{}")}), "does not describe")
		require.NoError(t, asyncapi.Check(acme, module.Event{Type: "acme.swept", Data: json.RawMessage(`{"tick":"2026-11-20T10:00:00+01:00"}`)}))
	})
}

func TestCheckWebhook(t *testing.T) {
	t.Run("9-events-webhook", func(t *testing.T) {
		raw, err := asyncapi.Document(acme)
		require.NoError(t, err)
		var d struct {
			Operations map[string]struct{ Action, Description string }
			Components struct {
				Messages      map[string]struct{ Traits []map[string]string }
				MessageTraits map[string]struct {
					ContentType string
					Bindings    struct {
						HTTP struct {
							Headers struct {
								Properties map[string]any
								Required   []string
							}
						}
					}
				}
			}
		}
		require.NoError(t, json.Unmarshal(raw, &d))
		hook := d.Components.MessageTraits["webhook"]
		require.Equal(t, "application/cloudevents+json", hook.ContentType)
		require.ElementsMatch(t, []string{"Content-Type", "webhook-id", "webhook-timestamp", "webhook-signature"}, hook.Bindings.HTTP.Headers.Required)
		require.Len(t, hook.Bindings.HTTP.Headers.Properties, 4)
		require.Contains(t, d.Components.Messages["webhook.acme.saved"].Traits, map[string]string{"$ref": "#/components/messageTraits/webhook"})
		sent := d.Operations["webhooks"]
		require.Equal(t, "send", sent.Action)
		for _, text := range []string{"A 2xx response completes a delivery", "410 makes it a dead letter at once",
			"After no response or any other, redirects included, the portal retries"} {
			require.Contains(t, sent.Description, text)
		}
		header := func() http.Header {
			return http.Header{"Content-Type": {"application/cloudevents+json; charset=utf-8"}, "Webhook-Id": {"1"},
				"Webhook-Timestamp": {"1795255200"},
				"Webhook-Signature": {"v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4="}}
		}
		const body = `{"specversion":"1.0","id":"1","source":"urn:wattle:acme:notes","type":"acme.saved","subject":"a","time":"2026-11-20T10:00:00Z",
			"datacontenttype":"application/json","sequence":"0000000000000000001","data":{}}`
		require.NoError(t, asyncapi.CheckWebhook(header(), []byte(body)))
		for name := range header() {
			h := header()
			h.Set(name, "something else")
			if name != "Webhook-Id" {
				require.Error(t, asyncapi.CheckWebhook(h, []byte(body)), name)
			}
			h.Del(name)
			require.Error(t, asyncapi.CheckWebhook(h, []byte(body)), "without %s", name)
		}
		require.Error(t, asyncapi.CheckWebhook(header(), []byte(`{"specversion":"1.0","id":"1"}`)))
	})
}
