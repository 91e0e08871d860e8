// Package secret gives modules the secrets that a label's settings refer to. A label contains only the names; the values are in
// --secret-file or the environment, which only core reads.
package secret

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/modules/registry"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
)

// Source returns the secret with the given name, or an empty string if there is none.
type Source func(name string) string

// reservedPrefix is the prefix of the portal's own variables, such as the database URL with its password: a label cannot pass these to a
// module.
const reservedPrefix = "WATTLE_"

type nameInput struct {
	Name string `path:"name" maxLength:"200" doc:"Name of the secret, as in the settings of the calling module"`
}

type valueOutput struct {
	Body struct {
		Value string `json:"value" doc:"The secret"`
	}
}

// Routes registers the sibling operation GET /secrets/{name}. It returns a secret only if its name occurs as a string in the calling
// module's settings in the label of the call. For any other name it returns 404, whether the secret exists or not.
func (s Source) Routes(a huma.API) {
	module.Route(a, huma.Operation{OperationID: "secret", Method: http.MethodGet, Path: "/secrets/{name}",
		Summary:     "Get a secret that the calling module's settings name",
		Description: "For modules. 404 when the settings of the label of the call do not contain the name, or when there is no such secret."},
		module.Sibling, module.Read,
		func(ctx context.Context, in *nameInput) (*valueOutput, error) {
			out := &valueOutput{}
			if IsNamed(label.Of(ctx), module.ScopeOf(ctx).Caller, in.Name) {
				out.Body.Value = s(in.Name)
			}
			if out.Body.Value == "" {
				return nil, problem.ErrNotFound
			}
			return out, nil
		})
}

// IsNamed reports whether a label's settings for a module contain the name of a secret. It returns false for core.
func IsNamed(l *label.Label, moduleKey, name string) bool {
	if l == nil || name == "" || moduleKey == "" || moduleKey == registry.Core || strings.HasPrefix(name, reservedPrefix) {
		return false
	}
	var settings any
	return json.Unmarshal(l.Modules[moduleKey], &settings) == nil && contains(settings, name)
}

func contains(v any, name string) bool {
	switch v := v.(type) {
	case string:
		return v == name
	case []any:
		for _, e := range v {
			if contains(e, name) {
				return true
			}
		}
	case map[string]any:
		for _, e := range v { // checks only values: keys come from the schema, not from the operator
			if contains(e, name) {
				return true
			}
		}
	}
	return false
}
