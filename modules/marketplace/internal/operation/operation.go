// Package operation contains what all operations share: their path, the pages of lists, and requests that are sent twice.
package operation

import (
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// Base is the path prefix of the operations (7.6-prefix-reconcile).
const Base = "/sustainable"

// New returns an operation of the module.
func New(method, path, id, summary, description string) huma.Operation {
	return huma.Operation{Method: method, Path: Base + path, OperationID: id, Summary: summary, Description: description}
}

// FormBody describes a form body for the OpenAPI document.
func FormBody(o huma.Operation, fields map[string]string) huma.Operation {
	schema := &huma.Schema{Type: huma.TypeObject, Properties: map[string]*huma.Schema{}}
	for name, doc := range fields {
		schema.Properties[name] = &huma.Schema{Type: huma.TypeString, Description: doc}
	}
	o.RequestBody = &huma.RequestBody{Content: map[string]*huma.MediaType{"application/x-www-form-urlencoded": {Schema: schema}}}
	return o
}

// Codes splits comma-separated codes.
func Codes(text string) (codes []string) {
	for code := range strings.SplitSeq(text, ",") {
		if code = strings.TrimSpace(code); code != "" {
			codes = append(codes, code)
		}
	}
	return codes
}
