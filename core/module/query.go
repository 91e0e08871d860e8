package module

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// readBlanks returns the middleware that treats blank query values the same way in all operations (9-api-blank-query). A blank string
// counts as absent, because forms send every field. A blank number, date, boolean or list item is refused with 400: huma would treat it as
// absent, and the caller would get a page or a period that it did not request.
func readBlanks(a huma.API) func(huma.Context, func(huma.Context)) {
	return func(c huma.Context, next func(huma.Context)) {
		u := c.URL()
		if u.RawQuery == "" {
			next(c)
			return
		}
		if errs := blanks(a, c.Operation(), u.Query()); len(errs) > 0 {
			_ = huma.WriteErr(a, c, http.StatusUnprocessableEntity, "", errs...) // problem makes this a 400; an error means that the caller is gone
			return
		}
		next(trimmed{c})
	}
}

// blanks returns an error for each query parameter of an operation that is blank, unless it is a plain string or an enum that includes the
// blank value.
func blanks(a huma.API, op *huma.Operation, query url.Values) (errs []error) {
	isBlank := func(value string) bool { return strings.TrimSpace(value) == "" }
	for _, p := range op.Parameters {
		if p.In != "query" || !slices.ContainsFunc(query[p.Name], isBlank) {
			continue
		}
		schema := p.Schema
		for schema.Ref != "" || schema.Items != nil {
			if schema.Items != nil {
				schema = schema.Items
			} else {
				schema = a.OpenAPI().Components.Schemas.SchemaFromRef(schema.Ref)
			}
		}
		isText := schema.Type == huma.TypeString && schema.Format == "" && len(schema.Enum) == 0
		if !isText && !slices.Contains(schema.Enum, any("")) {
			errs = append(errs, &huma.ErrorDetail{Location: "query." + p.Name})
		}
	}
	return errs
}

// trimmed is a call in which a query value of only spaces is empty.
type trimmed struct{ wrapped }

type wrapped = huma.Context // the name Context would hide the method Context

// Query returns the value of a parameter, or "" when that is blank.
func (t trimmed) Query(name string) string {
	value := t.wrapped.Query(name)
	if strings.TrimSpace(value) == "" {
		return ""
	}
	return value
}

// Unwrap returns the original call, for code that writes files to its response.
func (t trimmed) Unwrap() huma.Context { return t.wrapped }
