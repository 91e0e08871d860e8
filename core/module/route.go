package module

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humachi"
	"github.com/go-chi/chi/v5"

	"github.com/wattle-portal/wattle/core/problem"
)

// Access says which callers may call an operation. Core checks it before the module receives the request.
type Access string

// Effect says whether an operation reads or writes, regardless of its HTTP method. Core refuses a write in a read-only scope.
type Effect string

// Values of Access.
const (
	Public   Access = "public"
	Customer Access = "customer" // a signed-in customer or member, or an impersonator
	Staff    Access = "staff"
	APIKey   Access = "key"     // a back office with an API key; staff may call it too
	Sibling  Access = "sibling" // other modules and core; not reachable from outside, and absent from openapi.json
)

// Values of Effect.
const (
	Read  Effect = "read"
	Write Effect = "write"
)

// Names of the OpenAPI extensions that contain Access and Effect.
const (
	ExtAccess = "x-access"
	ExtEffect = "x-effect"
	// ExtImpersonation marks a write that the label's setting impersonation.allow may permit to an impersonator.
	ExtImpersonation = "x-impersonation"
	// ExtScope is the scope that an API key needs for an operation of core. For operations of modules, core derives it: "billing:read".
	ExtScope = "x-scope"
	// ExtFormerly is the module that had the operation in the previous release. Siblings that were built for that release still find the
	// operation there, and a plugin of that module that still has the operation keeps it.
	ExtFormerly = "x-formerly"
	// ExtTimeout is the maximum duration of a call to the operation when the module runs as a plugin, such as "5s". After that, the call is
	// canceled and returns 503. The default is the operator's timeout for the plugin, which is 30 s unless configured. The portal's own
	// timeout for a call always applies.
	ExtTimeout = "x-timeout"
	// ImpersonationAlways is the value of ExtImpersonation for a write of core that every impersonator may make: ending the impersonation.
	ImpersonationAlways = "always"
)

// Router is a chi router with a huma API, to be embedded in an Instance, all of whose methods it has. It also has the methods of *chi.Mux,
// such as Use for middleware. Register operations with Declare or Route: core never calls a path that was added with a chi method, such as
// Get or Mount, because it is missing from the OpenAPI document.
type Router struct {
	routes
	API huma.API
}

// routes gives Router the methods of chi, except Handle. They are one level deeper than those of Router, so that an Instance may also
// embed another type with a method Handle.
type routes struct {
	*chi.Mux
	key string // of the module
}

// Handle implements Instance for a module that handles no events. A module with Handles or a Schedule in its manifest declares its own.
func (r routes) Handle(_ context.Context, e Event) error {
	return fmt.Errorf("module: %s does not handle %s", r.key, e.Type)
}

// OpenAPI returns the document of the operations registered on the router.
func (r Router) OpenAPI() *huma.OpenAPI { return r.API.OpenAPI() }

// NewRouter returns an empty router for a module. Paths are relative to /api/v0.
func NewRouter(m Manifest) Router {
	mux := chi.NewMux()
	c := huma.DefaultConfig(m.Key, m.Version)
	c.CreateHooks = nil // no $schema in responses
	c.OpenAPIPath, c.DocsPath, c.SchemasPath = "", "", ""
	mux.NotFound(func(w http.ResponseWriter, _ *http.Request) {
		problem.Write(w, problem.Fail(http.StatusNotFound, problem.CodeNotFound))
	})
	return Router{routes{mux, m.Key}, humachi.New(mux, c)}
}

// Declare registers an operation at the usual place. The path of operation is below the key of the module: "GET /notes/{id}" is GET
// /acme/notes/{id} for Public, Customer and Sibling, and GET /staff/acme/notes/{id} for Staff and APIKey; "GET /" is GET /acme. GET and
// HEAD read, all other methods write. Use Route for another path or effect, and for everything else that a huma.Operation can have.
func Declare[I, O any](r Router, who Access, operation, id, summary, description string, h func(context.Context, *I) (*O, error)) {
	method, path, _ := strings.Cut(operation, " ")
	path = "/" + r.key + strings.TrimSuffix(path, "/")
	if who == Staff || who == APIKey {
		path = "/staff" + path
	}
	does := Write
	if method == http.MethodGet || method == http.MethodHead {
		does = Read
	}
	Route(r.API, huma.Operation{OperationID: id, Method: method, Path: path, Summary: summary, Description: description}, who, does, h)
}

// bodyTimeout is the read deadline of a request body. net/http keeps reading to detect that the client disconnects, and treats an
// expired read deadline as a disconnect, which cancels the call. So the deadline is as long as a call may take, not huma's 5 s.
const bodyTimeout = 30 * time.Second

// Route registers an operation with its access and effect. OperationID is required and must be unique within the module. The browser passes
// it to useMay, prefixed with the module's key: "account.changePhone".
func Route[I, O any](a huma.API, op huma.Operation, who Access, does Effect, h func(context.Context, *I) (*O, error)) {
	if op.OperationID == "" {
		panic("module: an operation without an id: " + op.Method + " " + op.Path)
	}
	if op.Extensions == nil {
		op.Extensions = map[string]any{}
	}
	op.Extensions[ExtAccess], op.Extensions[ExtEffect] = who, does
	if op.BodyReadTimeout == 0 {
		op.BodyReadTimeout = bodyTimeout
	}
	if len(op.Responses) > 0 || len(op.Errors) > 0 { // huma documents the problem only for an operation that lists no responses
		if op.Responses == nil {
			op.Responses = map[string]*huma.Response{}
		}
		op.Responses["default"] = problemResponse(a)
	}
	op.Middlewares = append(huma.Middlewares{readBlanks(a)}, op.Middlewares...)
	described := describedForms(op.RequestBody)
	defer func() {
		for kind, schema := range described { // huma has replaced them by "binary"
			op.RequestBody.Content[kind].Schema = schema
		}
	}()
	huma.Register(a, op, func(ctx context.Context, in *I) (*O, error) {
		out, err := h(ctx, in)
		if err != nil {
			if p, chosen := errors.AsType[*problem.Problem](err); chosen {
				return nil, p
			}
			p := problem.Of(err)
			if p.Status >= http.StatusInternalServerError {
				problem.Observe(ctx, err)
			}
			return nil, p
		}
		return out, nil
	})
}

// describedForms returns, by media type, the form schemas in the RequestBody of an operation that reads the form as a RawBody.
func describedForms(body *huma.RequestBody) map[string]*huma.Schema {
	if body == nil {
		return nil
	}
	out := map[string]*huma.Schema{}
	for kind, media := range body.Content {
		if media.Schema != nil && media.Schema.Type == huma.TypeObject && kind != "application/json" {
			out[kind] = media.Schema
		}
	}
	return out
}

// problemResponse describes the default response of every operation: a Problem.
func problemResponse(a huma.API) *huma.Response {
	schema := a.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[problem.Problem](), true, "Problem")
	return &huma.Response{Description: "Error", Content: map[string]*huma.MediaType{"application/problem+json": {Schema: schema}}}
}

// DecideInput is the input of the sibling operation that Decisions registers.
type DecideInput struct {
	ID   string `path:"id" doc:"Identifier of the change"`
	Body struct {
		State  string `json:"state" enum:"PROCESSED,REJECTED" doc:"Whether the change is applied or refused"`
		By     string `json:"by" maxLength:"200" doc:"Who decided: an account, the name of an API key, customer (by mailed link) or auto"`
		Reason string `json:"reason,omitempty" maxLength:"2000" doc:"Reason of a rejection, shown to the customer"`
	}
}

// DecideOutput is the decided change.
type DecideOutput struct{ Body Change }

// Decided is called for a change that has just been PROCESSED or REJECTED, in the transaction of the decision. It applies the new value and
// publishes the result.
type Decided func(ctx context.Context, tx Tx, c Change) error

// Decisions registers the sibling operation POST /<key>/changes/{id}/decide, through which core lets a module decide its own changes.
func Decisions(a huma.API, key string, db DB, then Decided) {
	Route(a, huma.Operation{OperationID: "decideChange", Method: http.MethodPost, Path: "/" + key + "/changes/{id}/decide",
		Summary:     "Decide a change request",
		Description: "For core, when staff or an API key decides a change that this module filed. The module applies a processed change in the same transaction. Answers not_found when the module has no such change, and change_decided when it has been decided before."}, Sibling, Write,
		func(ctx context.Context, in *DecideInput) (*DecideOutput, error) {
			out := &DecideOutput{}
			err := db.Tx(ctx, func(ctx context.Context, tx Tx) (err error) {
				out.Body, err = Decide(ctx, tx, Decision{ID: in.ID, State: in.Body.State, By: in.Body.By, Reason: in.Body.Reason}, then)
				return err
			})
			return out, err
		})
}

// Decide decides a change in the caller's transaction and calls then. It returns the decided change.
func Decide(ctx context.Context, tx Tx, d Decision, then Decided) (Change, error) {
	c, err := tx.Decide(ctx, d)
	if err != nil {
		return c, err
	}
	return c, then(ctx, tx, c)
}

// Publish publishes an event of the given type and key, with data encoded as JSON.
func Publish(ctx context.Context, tx Tx, eventType, key string, data any) error {
	raw, err := json.Marshal(data)
	if err != nil {
		return err
	}
	return tx.Publish(ctx, Event{Type: eventType, Key: key, Data: raw})
}
