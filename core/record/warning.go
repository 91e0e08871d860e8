package record

import "context"

type warningKey struct{}

// OnWarning returns a context in which Warn calls f.
func OnWarning(ctx context.Context, f func(Refusal)) context.Context {
	return context.WithValue(ctx, warningKey{}, f)
}

// Warn reports a field of a record that is stored as it is but looks wrong, such as an address to which no email can be sent. `wattle
// import` counts and shows the records with warnings; they do not change its exit status. ctx is the context of the import. Warn must not
// be called from several goroutines at the same time.
func Warn(ctx context.Context, line int, field, code string) {
	if f, ok := ctx.Value(warningKey{}).(func(Refusal)); ok {
		f(Refusal{Line: line, Field: field, Code: code})
	}
}
