// Package call makes HTTP calls to siblings. The generated clients of modules (modules/<key>/<key>api) and of core (core/coreapi) use
// it; a module calls those clients.
package call

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/wattle-portal/wattle/core/problem"
)

// JSON sends in as JSON to a sibling and returns the decoded JSON response. If in is nil, the request has no body. O is struct{} for a
// response without a body. An error response of the sibling is returned as its Problem; when the sibling failed or could not be reached,
// JSON returns ErrUnavailable (wrapped).
func JSON[O any](ctx context.Context, client *http.Client, method, url string, in any) (out O, err error) {
	var body io.Reader
	if in != nil {
		data, err := json.Marshal(in)
		if err != nil {
			return out, err
		}
		body = bytes.NewReader(data)
	}
	req, err := http.NewRequestWithContext(ctx, method, url, body)
	if err != nil {
		return out, err
	}
	if in != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := client.Do(req)
	if errors.Is(err, problem.ErrNested) || errors.Is(err, context.Canceled) {
		return out, err
	}
	if err != nil {
		return out, fmt.Errorf("%w: %s %s: %w", problem.ErrUnavailable, method, url, err)
	}
	defer res.Body.Close()
	if res.StatusCode >= http.StatusInternalServerError {
		return out, fmt.Errorf("%w: %s %s: status %d", problem.ErrUnavailable, method, url, res.StatusCode)
	}
	if res.StatusCode >= http.StatusMultipleChoices {
		p := &problem.Problem{}
		if json.NewDecoder(res.Body).Decode(p) != nil || p.Code == "" {
			return out, fmt.Errorf("%w: %s %s: status %d", problem.ErrUnavailable, method, url, res.StatusCode)
		}
		return out, p
	}
	if err := json.NewDecoder(res.Body).Decode(&out); err != nil && !errors.Is(err, io.EOF) { // the response has no body
		return out, fmt.Errorf("%s %s: %w", method, url, err)
	}
	return out, nil
}

// Query returns the query string for params, the parameter struct of a generated client: "?after=7&limit=20", or "" when no field is set.
// List values are separated by commas, as OpenAPI's explode: false requires.
func Query(params any) string {
	text, err := json.Marshal(params)
	if err != nil {
		return "" // params is generated: it has strings, numbers, days and times only
	}
	fields := map[string]any{}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber() // 7, not 7e+06
	if err := d.Decode(&fields); err != nil {
		return ""
	}
	q := url.Values{}
	for name, v := range fields {
		switch v := v.(type) {
		case nil:
		case []any:
			all := make([]string, len(v))
			for i := range v {
				all[i] = fmt.Sprint(v[i])
			}
			q.Set(name, strings.Join(all, ","))
		default:
			q.Set(name, fmt.Sprint(v))
		}
	}
	if len(q) == 0 {
		return ""
	}
	return "?" + q.Encode()
}
