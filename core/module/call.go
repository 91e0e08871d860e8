package module

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/wattle-portal/wattle/core/problem"
)

// Call sends in as JSON (nil: no body) to a sibling and reads its JSON answer. O may be struct{} when there is none to read.
// A refusal comes back as the Problem that the sibling gave; ErrUnavailable (wrapped) when it could not be reached or failed.
func Call[O any](ctx context.Context, client *http.Client, method, url string, in any) (out O, err error) {
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
	if err := json.NewDecoder(res.Body).Decode(&out); err != nil && !errors.Is(err, io.EOF) { // an empty answer is an answer
		return out, fmt.Errorf("%s %s: %w", method, url, err)
	}
	return out, nil
}
