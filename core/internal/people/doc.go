// Package people is the wing of callers: accounts, sessions, tokens, API keys, invitations, impersonation.
//
//   - identity authenticates the caller. The group http calls it once per request and stores the result in the scope; nothing else reads
//     a token or a cookie.
//   - Other identity providers are implemented in folders of identity.
//
// The package groups below call it. It imports events (emails and events about accounts), labels, storage and base.
package people
