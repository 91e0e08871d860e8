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

// Bounds of asking a Source: a caller waits for Patience at most, and after BreakAfter failures in a row nobody waits at
// all for 15 s.
const (
	Patience   = 5 * time.Second
	MaxAnswer  = 1 << 20 // bytes; more is an answer that cannot be used
	BreakAfter = 6

	sourceAttempt = 2 * time.Second
	sourceRetries = 2
	sourceRest    = 15 * time.Second
)

// ErrDown is what a Source wraps that gives no answer that can be used: it does not answer, fails, or answers junk.
var ErrDown = errors.New("the source gives no answer")

// Source is a service in the outside world: an address register, a weather feed. Asking has a time-out, is tried again, and stops
// for a while when the service is down. One Source stands for one service, so that who is down is down for all callers.
type Source struct {
	client *http.Client
	run    failsafe.Executor[any]
}

// New makes a Source that is reached through client, as a rule Host.Web.
func New(client *http.Client) *Source {
	again := retrypolicy.NewBuilder[any]().WithMaxRetries(sourceRetries).WithBackoff(100*time.Millisecond, time.Second).WithJitterFactor(0.2).
		HandleIf(func(_ any, err error) bool { return err != nil }).
		AbortIf(func(_ any, err error) bool {
			return errors.Is(err, context.Canceled) || errors.Is(err, circuitbreaker.ErrOpen) || errors.As(err, new(*Refused))
		}).ReturnLastFailure().Build()
	breaker := circuitbreaker.NewBuilder[any]().WithFailureThreshold(BreakAfter).WithDelay(sourceRest).
		HandleIf(func(_ any, err error) bool { return err != nil && !errors.Is(err, context.Canceled) }).Build() // a browser that leaves is no failure
	return &Source{client, failsafe.With[any](again, breaker, timeout.New[any](sourceAttempt))}
}

// Refused is a status that the same question will get again.
type Refused struct {
	Status int
	Body   []byte
}

// Error names the status; the body may hold what no log needs.
func (r *Refused) Error() string { return fmt.Sprintf("status %d", r.Status) }

// Get asks for an address and has read judge the answer; one that read refuses counts as a failure like any other. ErrDown
// (wrapped) when nothing came of it.
func (s *Source) Get(ctx context.Context, address string, read func([]byte) error) error {
	return s.Ask(ctx, func(ctx context.Context) (*http.Request, error) {
		return http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	}, read)
}

// Ask sends what build makes, anew at every attempt: it must be safe to send twice. Otherwise it is as Get; a *Refused is wrapped
// beside ErrDown.
func (s *Source) Ask(ctx context.Context, build func(context.Context) (*http.Request, error), read func([]byte) error) error {
	waiting, cancel := context.WithTimeout(ctx, Patience)
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
		err = wrapped.Err // the URL may hold an address, which no log needs
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = res.Body.Close() }() // read, or not wanted
	data, err := io.ReadAll(io.LimitReader(res.Body, MaxAnswer+1))
	if err == nil && len(data) > MaxAnswer {
		err = errors.New("the answer is too large")
	}
	switch {
	case res.StatusCode >= http.StatusInternalServerError:
		return nil, fmt.Errorf("status %d", res.StatusCode)
	case res.StatusCode >= http.StatusMultipleChoices:
		return nil, &Refused{res.StatusCode, data}
	}
	return data, err
}
