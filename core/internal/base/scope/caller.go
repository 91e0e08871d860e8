package scope

import "context"

type callerKey struct{}

// WithCaller returns a context in which Identify stores the caller of a request in id. The request log reads id when the request has been
// handled.
func WithCaller(ctx context.Context, id *string) context.Context {
	return context.WithValue(ctx, callerKey{}, id)
}

// Identify passes the caller of a request to the request log: the id of the account that makes the request or is named in a sign-in, or the
// name of an API key. An empty id is ignored.
func Identify(ctx context.Context, id string) {
	if to, ok := ctx.Value(callerKey{}).(*string); ok && id != "" {
		*to = id
	}
}
