package scope

import "context"

type callerKey struct{}

// WithCaller returns a context in which Identify stores the caller of a request in id. The log of requests reads id when the request
// has been answered.
func WithCaller(ctx context.Context, id *string) context.Context {
	return context.WithValue(ctx, callerKey{}, id)
}

// Identify tells the log of requests who makes a request, or whose account a sign-in names: the id of an account, or the name of an
// API key. An empty id changes nothing.
func Identify(ctx context.Context, id string) {
	if to, ok := ctx.Value(callerKey{}).(*string); ok && id != "" {
		*to = id
	}
}
