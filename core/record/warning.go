package record

import "context"

type warningKey struct{}

// OnWarning returns a context in which Warn calls f.
func OnWarning(ctx context.Context, f func(Refusal)) context.Context {
	return context.WithValue(ctx, warningKey{}, f)
}

// Warn notes a field of a record that is stored as it is and looks wrong, such as an e-mail address that no mail can be sent to. `wattle
// import` counts the records with warnings and shows them; they do not change its exit status. ctx is that of the import. It must not be
// called from several goroutines at once.
func Warn(ctx context.Context, line int, field, code string) {
	if f, ok := ctx.Value(warningKey{}).(func(Refusal)); ok {
		f(Refusal{Line: line, Field: field, Code: code})
	}
}
