package registry

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/module"
)

const schemaRef = "#/components/schemas/"

// merge joins the documents of the modules. The registry has already checked that their paths do not conflict.
func merge(docs map[string]*huma.OpenAPI) ([]byte, error) {
	paths, schemas := map[string]any{}, map[string]any{}
	for _, key := range slices.Sorted(maps.Keys(docs)) {
		doc, err := Document(key, docs[key])
		if err != nil {
			return nil, err
		}
		for path, item := range doc["paths"].(map[string]any) {
			into, ok := paths[path].(map[string]any)
			if !ok {
				into = map[string]any{}
				paths[path] = into
			}
			maps.Copy(into, item.(map[string]any))
		}
		maps.Copy(schemas, schemasOf(doc))
	}
	return json.Marshal(map[string]any{
		"openapi":    "3.1.0",
		"info":       map[string]any{"title": "Wattle", "version": "0"},
		"servers":    []any{map[string]any{"url": "/api/v0"}},
		"paths":      paths,
		"components": map[string]any{"schemas": schemas, "securitySchemes": securitySchemes()},
	})
}

// Document returns a module's document for clients, without sibling operations and the schemas that only those use. Schema names and
// operation ids are prefixed with the module's key. Paths stay relative to /api/v0.
func Document(key string, doc *huma.OpenAPI) (map[string]any, error) {
	raw, err := json.Marshal(doc)
	if err != nil {
		return nil, fmt.Errorf("registry: the document of module %s: %w", key, err)
	}
	var all map[string]any
	if err := json.Unmarshal(raw, &all); err != nil {
		return nil, fmt.Errorf("registry: the document of module %s: %w", key, err)
	}
	paths, _ := all["paths"].(map[string]any)
	for path, item := range paths {
		item := item.(map[string]any)
		for method, o := range item {
			o, ok := o.(map[string]any)
			if !ok || o["operationId"] == nil {
				continue // parameters and descriptions of the path item itself
			}
			switch o[module.ExtAccess] {
			case string(module.Sibling):
				delete(item, method)
				continue
			case string(module.Public):
				o["security"] = []any{} // explicitly empty, so that a generated client does not require a token
			default:
				o["security"] = []any{map[string]any{"bearer": []any{}}}
				if o[module.ExtAccess] == string(module.APIKey) {
					declared, _ := o[module.ExtScope].(string)
					effect, _ := o[module.ExtEffect].(string)
					o[module.ExtScope] = scopeOf(key, module.Effect(effect), declared)
				}
			}
			o["operationId"] = key + "." + o["operationId"].(string)
			o["tags"] = []any{key}
		}
		if len(item) == 0 {
			delete(paths, path)
		}
	}
	if paths == nil {
		paths = map[string]any{}
	}
	all["paths"] = paths

	used, from := map[string]any{}, schemasOf(all)
	var keep func(v any)
	keep = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, e := range v {
				keep(e)
			}
		case map[string]any:
			for k, e := range v {
				name, isRef := "", false
				if s, ok := e.(string); ok && k == "$ref" {
					name, isRef = strings.CutPrefix(s, schemaRef)
				}
				if !isRef {
					keep(e)
					continue
				}
				v[k] = schemaRef + key + "." + name
				if _, done := used[key+"."+name]; !done {
					used[key+"."+name] = from[name]
					keep(from[name])
				}
			}
		}
	}
	keep(paths)
	all["components"] = map[string]any{"schemas": used, "securitySchemes": securitySchemes()}
	return all, nil
}

func securitySchemes() map[string]any {
	return map[string]any{"bearer": map[string]any{"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}}
}

func schemasOf(doc map[string]any) map[string]any {
	components, _ := doc["components"].(map[string]any)
	schemas, _ := components["schemas"].(map[string]any)
	return schemas
}
