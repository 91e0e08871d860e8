package source

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/circuitbreaker"
	"github.com/failsafe-go/failsafe-go/retrypolicy"
	"github.com/failsafe-go/failsafe-go/timeout"

	"github.com/wattle-portal/wattle/core/problem"
)

// Limits of a request to a Source. A caller waits at most Timeout. After BreakAfter failures in a row, requests fail without waiting for 15
// s.
const (
	Timeout    = 5 * time.Second
	MaxAnswer  = 1 << 20 // bytes; a longer response is an error
	BreakAfter = 6

	attemptTimeout = 2 * time.Second
	maxRetries     = 2
	breakDuration  = 15 * time.Second
)

// errBusy is a response that asks the caller to send fewer requests. It does not refuse this request, which may be accepted later.
var errBusy = errors.New("status 429")

// ErrDown is wrapped by the error of a Source that does not respond, fails, or sends a response that cannot be used.
var ErrDown = errors.New("the source does not respond")

// Source is an external service, such as an address register or a weather feed. Requests have a timeout and are retried. A circuit breaker
// stops requests for a while when the service is down. Use one Source per service, so that all callers share the circuit breaker.
type Source struct {
	client *http.Client
	run    failsafe.Executor[any]
}

// New returns a Source whose requests go through client, normally Host.Web.
func New(client *http.Client) *Source {
	retries := retrypolicy.NewBuilder[any]().WithMaxRetries(maxRetries).WithBackoff(100*time.Millisecond, time.Second).WithJitterFactor(0.2).
		HandleIf(func(_ any, err error) bool { return err != nil }).
		AbortIf(func(_ any, err error) bool {
			return errors.Is(err, context.Canceled) || errors.Is(err, circuitbreaker.ErrOpen) || errors.Is(err, errBusy) ||
				errors.As(err, new(*Refused))
		}).ReturnLastFailure().Build()
	breaker := circuitbreaker.NewBuilder[any]().WithFailureThreshold(BreakAfter).WithDelay(breakDuration).
		HandleIf(func(_ any, err error) bool { return isFailure(err) }).Build()
	return &Source{client, failsafe.With[any](retries, breaker, timeout.New[any](attemptTimeout))}
}

// isFailure reports whether an error is a failure of the service. A request that the browser has canceled, or that may not be made, is not
// a failure. Neither is a refusal of one request, because others may be accepted. But 401 and 403 refuse every request of the caller, 429
// asks the caller to stop, and a redirect means that the service has moved.
func isFailure(err error) bool {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, problem.ErrNested) {
		return false
	}
	refused, ok := errors.AsType[*Refused](err)
	return !ok || refused.Status < http.StatusBadRequest || refused.Status == http.StatusUnauthorized || refused.Status == http.StatusForbidden
}

// Refused is an error for a response status that a retry would receive again. A service that refuses a request is not down, so other
// requests continue. 429 is not Refused.
type Refused struct {
	Status int
	Body   []byte
}

// Error returns only the status, because the body may contain data that must not be logged.
func (r *Refused) Error() string { return fmt.Sprintf("status %d", r.Status) }

// Get requests address and passes the response body to read. An error of read counts as a failure of the service. Get returns ErrDown
// (wrapped) if no attempt succeeded.
func (s *Source) Get(ctx context.Context, address string, read func([]byte) error) error {
	return s.Do(ctx, func(ctx context.Context) (*http.Request, error) {
		return http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	}, read)
}

// Do sends the request that build returns. build is called again for every attempt, so the request must be safe to send twice. read
// receives the response body, as in Get. Do returns ErrDown (wrapped) if no attempt succeeded, together with a *Refused if the service
// refused the request.
func (s *Source) Do(ctx context.Context, build func(context.Context) (*http.Request, error), read func([]byte) error) error {
	waiting, cancel := context.WithTimeout(ctx, Timeout)
	defer cancel()
	err := s.run.WithContext(waiting).RunWithExecution(func(e failsafe.Execution[any]) error {
		req, err := build(e.Context())
		if err != nil {
			return err
		}
		data, err := s.send(req)
		if err != nil {
			return err
		}
		return read(data)
	})
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, problem.ErrNested), errors.Is(err, ErrDown):
		return err
	}
	return fmt.Errorf("%w: %w", ErrDown, err)
}

func (s *Source) send(req *http.Request) ([]byte, error) {
	if req.Header.Get("Accept") == "" {
		req.Header.Set("Accept", "application/json")
	}
	res, err := s.client.Do(req)
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err // the URL may contain an address, which must not be logged
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = res.Body.Close() }() // the body was read, or is not needed
	data, err := io.ReadAll(io.LimitReader(res.Body, MaxAnswer+1))
	if err == nil && len(data) > MaxAnswer {
		err = errors.New("the response is too large")
	}
	switch {
	case res.StatusCode >= http.StatusInternalServerError:
		return nil, fmt.Errorf("status %d", res.StatusCode)
	case res.StatusCode == http.StatusTooManyRequests:
		return nil, errBusy
	case res.StatusCode >= http.StatusMultipleChoices:
		return nil, &Refused{res.StatusCode, data}
	}
	return data, err
}
