package pluginhost

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/module"
)

// parseOpenAPI parses a plugin's document. huma can only write documents, so fields that core does not use are kept unparsed in the
// extensions and written unchanged.
func parseOpenAPI(b []byte) (*huma.OpenAPI, error) {
	var doc map[string]any
	if err := json.Unmarshal(b, &doc); err != nil {
		return nil, fmt.Errorf("pluginhost: the plugin's OpenAPI: %w", err)
	}
	out := &huma.OpenAPI{Paths: map[string]*huma.PathItem{}, Extensions: doc}
	paths, _ := doc["paths"].(map[string]any)
	delete(doc, "paths")
	for path, item := range paths {
		fields, ok := item.(map[string]any)
		if !ok {
			return nil, fmt.Errorf("pluginhost: the plugin's OpenAPI: path %s", path)
		}
		p := &huma.PathItem{Extensions: fields}
		for method, o := range map[string]**huma.Operation{http.MethodGet: &p.Get, http.MethodPut: &p.Put, http.MethodPost: &p.Post,
			http.MethodDelete: &p.Delete, http.MethodPatch: &p.Patch, http.MethodHead: &p.Head, http.MethodOptions: &p.Options,
			http.MethodTrace: &p.Trace} {
			name := strings.ToLower(method)
			if x, ok := fields[name].(map[string]any); ok {
				*o = operation(x)
			}
			delete(fields, name)
		}
		out.Paths[path] = p
	}
	return out, nil
}

func operation(fields map[string]any) *huma.Operation {
	id, _ := fields["operationId"].(string)
	if s, ok := fields[module.ExtAccess].(string); ok {
		fields[module.ExtAccess] = module.Access(s)
	}
	if s, ok := fields[module.ExtEffect].(string); ok {
		fields[module.ExtEffect] = module.Effect(s)
	}
	return &huma.Operation{OperationID: id, Extensions: fields}
}
