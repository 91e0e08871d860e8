// Package asyncapi describes the events of a module as an AsyncAPI 3.0 document: the events that it publishes, those that it handles, and
// those that back offices receive by webhook. The schemas are generated from the Go types in Manifest.Publishes, in the same way as huma
// generates those of OpenAPI.
package asyncapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/event"
	"github.com/wattle-portal/wattle/core/module"
)

// Document returns the AsyncAPI document of a module, as indented JSON that ends with a newline. It refers to the document of another
// module as <key>.json in the same folder.
func Document(m module.Manifest) ([]byte, error) {
	d := newDocument(m)
	for _, t := range m.Publishes {
		if err := d.publishes(t); err != nil {
			return nil, err
		}
	}
	for _, name := range m.Handles {
		d.handles(name)
	}
	d.webhooks()
	d.Components.Schemas = open(d.registry.Map())
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	if err := enc.Encode(d); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// Check validates an event that a module published: its type must be described, and its data must have exactly the fields of the described
// Go type.
func Check(m module.Manifest, e module.Event) error {
	i := slices.IndexFunc(m.Publishes, func(t event.Type) bool { return t.Name == e.Type })
	if i < 0 {
		return fmt.Errorf("module %s publishes %s, which Manifest.Publishes does not describe", m.Key, e.Type)
	}
	return check(m.Publishes[i].Data(), e.Data, "data of "+e.Type)
}

// CheckWebhook validates the headers and body of a webhook against the documents.
func CheckWebhook(header http.Header, body []byte) error {
	sent := map[string]string{}
	for name := range webhookSchema().Properties {
		if value := header.Get(name); value != "" { // the schema reports a missing required header
			sent[name] = value
		}
	}
	headers, err := json.Marshal(sent)
	if err != nil {
		return err
	}
	return errors.Join(check(reflect.TypeFor[webhookHeaders](), headers, "headers of a webhook"),
		check(reflect.TypeFor[CloudEvent](), body, "body of a webhook"))
}

func check(of reflect.Type, text []byte, what string) error {
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	registry, result := newRegistry(), &huma.ValidateResult{}
	huma.Validate(registry, registry.Schema(of, true, ""), huma.NewPathBuffer([]byte{}, 0), huma.ModeReadFromServer, value, result)
	if len(result.Errors) > 0 {
		return fmt.Errorf("%s does not match its description: %v in %s", what, result.Errors, text)
	}
	return nil
}

const schemas = "#/components/schemas/"

func newRegistry() huma.Registry { return huma.NewMapRegistry(schemas, huma.DefaultSchemaNamer) }

// document is an AsyncAPI 3.0 document, with only the fields that are used here.
type document struct {
	AsyncAPI           string               `json:"asyncapi"`
	ID                 string               `json:"id"`
	Info               info                 `json:"info"`
	DefaultContentType string               `json:"defaultContentType"`
	Servers            map[string]server    `json:"servers"`
	Channels           map[string]any       `json:"channels"` // channel or ref
	Operations         map[string]operation `json:"operations"`
	Components         components           `json:"components"`

	key      string
	registry huma.Registry
	hooks    []event.Type // events that webhooks deliver
}

type (
	info struct {
		Title       string `json:"title"`
		Version     string `json:"version"`
		Description string `json:"description"`
	}
	ref    struct{ string }
	server struct {
		Host        string              `json:"host"`
		Protocol    string              `json:"protocol"`
		PathName    string              `json:"pathname,omitempty"`
		Description string              `json:"description"`
		Variables   map[string]variable `json:"variables,omitempty"`
	}
	variable struct {
		Description string `json:"description"`
	}
	channel struct {
		Address     *string        `json:"address"`
		Title       string         `json:"title,omitempty"`
		Description string         `json:"description,omitempty"`
		Servers     []ref          `json:"servers"`
		Messages    map[string]ref `json:"messages"`
	}
	operation struct {
		Action      string         `json:"action"`
		Channel     ref            `json:"channel"`
		Summary     string         `json:"summary"`
		Description string         `json:"description,omitempty"`
		Bindings    map[string]any `json:"bindings,omitempty"`
		Messages    []ref          `json:"messages,omitempty"`
	}
	components struct {
		Messages      map[string]message `json:"messages"`
		MessageTraits map[string]message `json:"messageTraits"`
		Schemas       map[string]any     `json:"schemas"`
	}
	message struct {
		Name        string         `json:"name,omitempty"`
		Title       string         `json:"title,omitempty"`
		Summary     string         `json:"summary,omitempty"`
		ContentType string         `json:"contentType,omitempty"`
		Tags        []tag          `json:"tags,omitempty"`
		Traits      []ref          `json:"traits,omitempty"`
		Bindings    map[string]any `json:"bindings,omitempty"`
		Payload     any            `json:"payload,omitempty"`
	}
	tag struct {
		Name        string `json:"name"`
		Description string `json:"description"`
	}
)

// MarshalJSON encodes a Reference Object.
func (r ref) MarshalJSON() ([]byte, error) { return json.Marshal(map[string]string{"$ref": r.string}) }

// Names of servers, and of channels that are not event types.
const (
	portal     = "portal"
	backOffice = "backOffice"
	webhooks   = "webhooks"
)

func newDocument(m module.Manifest) *document {
	return &document{
		AsyncAPI: "3.0.0", ID: "urn:wattle:" + m.Key, DefaultContentType: "application/json",
		Info: info{Title: m.Key, Version: m.Version, Description: "Events of module " + m.Key +
			": those that it publishes and handles inside the portal, and those that back offices receive by webhook."},
		Servers: map[string]server{
			portal: {Host: "portal", Protocol: "wattle",
				Description: "The portal, which delivers an event from the outbox of its publisher to every module of the label " +
					"that handles it, in-process or as a plugin: at least once and in any order. After a failure it retries with back-off; a delivery that keeps failing becomes a dead letter that staff can replay."},
			backOffice: {Host: "{host}", Protocol: "https", PathName: "/{path}",
				Description: "A URL that a back office registered with POST /api/v0/staff/webhooks.",
				Variables:   map[string]variable{"host": {"Host of the registered URL"}, "path": {"Path of the registered URL, with its query"}}},
		},
		Channels: map[string]any{}, Operations: map[string]operation{},
		Components: components{Messages: map[string]message{}, MessageTraits: map[string]message{}},
		key:        m.Key, registry: newRegistry(),
	}
}

var internal = []tag{{"internal", "The module sends the event to itself. Other modules must not handle it, and its data may change. A webhook receives it only if it has no types, a prefix that matches, or this type, and should ignore it."}}

// publishes adds an event type of the module, as a message to other modules and as a webhook.
func (d *document) publishes(t event.Type) error {
	if !strings.HasPrefix(t.Name, d.key+".") || t.Summary == "" || t.Key == "" || t.Data() == nil || t.Data().Kind() != reflect.Struct {
		return fmt.Errorf("asyncapi: %s of module %s needs the module's key as prefix, a summary, a description of its key, and a struct as data",
			t.Name, d.key)
	}
	if _, twice := d.Components.Messages[t.Name]; twice {
		return fmt.Errorf("asyncapi: %s is described twice", t.Name)
	}
	envelope := d.registry.Schema(reflect.TypeFor[module.Event](), true, "")
	data := d.registry.Schema(t.Data(), true, "")
	m := message{Name: t.Name, Title: t.Data().Name(), Summary: t.Summary, Payload: within(envelope, t.Name, "key", t.Key, data)}
	if t.Internal {
		m.Tags = internal
	}
	d.Components.Messages[t.Name] = m
	d.Channels[t.Name] = channel{Address: &t.Name, Servers: []ref{{"#/servers/" + portal}},
		Messages: map[string]ref{t.Name: {"#/components/messages/" + t.Name}}}
	d.Operations["publish."+t.Name] = operation{Action: "send", Channel: ref{"#/channels/" + t.Name}, Summary: t.Summary}

	cloud := d.registry.Schema(reflect.TypeFor[CloudEvent](), true, "")
	m.Traits, m.Payload = []ref{{"#/components/messageTraits/webhook"}}, within(cloud, t.Name, "subject", t.Key, data)
	d.Components.Messages["webhook."+t.Name] = m
	d.hooks = append(d.hooks, t)
	return nil
}

// within returns the schema of an envelope that contains an event of one type.
func within(envelope *huma.Schema, name, keyField, key string, data *huma.Schema) any {
	return map[string]any{"allOf": []any{envelope, map[string]any{"properties": map[string]any{
		"type": map[string]string{"const": name}, keyField: map[string]string{"description": key}, "data": data}}}}
}

// handles adds an event type that the module handles, published by itself or by another module.
func (d *document) handles(name string) {
	if from, _, _ := strings.Cut(name, "."); from != d.key {
		d.Channels[name] = ref{from + ".json#/channels/" + name}
	}
	d.Operations["handle."+name] = operation{Action: "receive", Channel: ref{"#/channels/" + name}, Summary: "Handle " + name}
}

// CloudEvent is the body of a webhook: a CloudEvent 1.0 in JSON.
type CloudEvent struct {
	SpecVersion     string          `json:"specversion" enum:"1.0" doc:"Version of CloudEvents"`
	ID              string          `json:"id" doc:"The same for every delivery of the event: use it to detect duplicates"`
	Source          string          `json:"source" doc:"urn:wattle:<label>:<module>"`
	Type            string          `json:"type" doc:"Type of the event, such as account.phone_changed"`
	Subject         string          `json:"subject,omitempty" doc:"Subject of the event"`
	Time            time.Time       `json:"time" doc:"Time of publication"`
	DataContentType string          `json:"datacontenttype" enum:"application/json" doc:"Media type of data"`
	Sequence        string          `json:"sequence" pattern:"^[0-9]{19}$" doc:"Increases for each subject of a source; compare it as a string"`
	Data            json.RawMessage `json:"data" doc:"Data of the event, in the schema of its type"`
}

// webhookHeaders are the headers of Standard Webhooks.
type webhookHeaders struct {
	ContentType string `json:"Content-Type" enum:"application/cloudevents+json; charset=utf-8"`
	ID          string `json:"webhook-id" doc:"Id of the event"`
	Timestamp   string `json:"webhook-timestamp" pattern:"^[0-9]+$" doc:"Time at which this delivery was signed, in seconds since 1970"`
	Signature   string `json:"webhook-signature" pattern:"^v1,[A-Za-z0-9+/=]+$" doc:"v1, and the HMAC-SHA256 in base64 of \"<webhook-id>.<webhook-timestamp>.<body>\" with the secret of the webhook"`
}

func webhookSchema() *huma.Schema {
	return newRegistry().Schema(reflect.TypeFor[webhookHeaders](), false, "")
}

// webhooks adds the events that back offices receive.
func (d *document) webhooks() {
	if len(d.hooks) == 0 {
		return
	}
	c := channel{Title: "Webhooks", Servers: []ref{{"#/servers/" + backOffice}}, Messages: map[string]ref{},
		Description: "The URLs that back offices of a label registered. Each receives the event types of its registration, or all, those with the tag internal included."}
	for _, t := range d.hooks {
		c.Messages[t.Name] = ref{"#/components/messages/webhook." + t.Name}
	}
	d.Channels[webhooks] = c
	d.Operations[webhooks] = operation{Action: "send", Channel: ref{"#/channels/" + webhooks}, Summary: "Post an event to a back office",
		Description: "Delivered at least once and in any order. A 2xx response completes a delivery; 410 makes it a dead letter at once. After no response or any other, " +
			"redirects included, the portal retries with increasing delays; a delivery that keeps failing becomes a dead letter that staff can replay. Verify the signature before you read the body, and refuse an old timestamp.",
		Bindings: map[string]any{"http": map[string]string{"method": "POST", "bindingVersion": "0.3.0"}}}
	d.Components.MessageTraits["webhook"] = message{ContentType: "application/cloudevents+json",
		Bindings: map[string]any{"http": map[string]any{"headers": opened(webhookSchema()), "bindingVersion": "0.3.0"}}}
}

// open allows additional properties in schemas, because later releases may add fields to the data of an event.
func open(all map[string]*huma.Schema) map[string]any {
	out := map[string]any{}
	for name, s := range all {
		out[name] = opened(s)
	}
	return out
}

func opened(s *huma.Schema) *huma.Schema {
	copied := *s
	if closed, ok := copied.AdditionalProperties.(bool); ok && !closed {
		copied.AdditionalProperties = nil
	}
	return &copied
}
