// Package people is the wing of those who call: accounts, sessions, tokens, API keys, invitations, impersonation.
//
//   - identity answers who the caller is. The wing http asks it once for a request and puts the answer into the scope; nothing else
//     reads a token or a cookie.
//   - Sign-in at another provider is an implementation in a folder of identity.
//
// Called by the wings below. Imports events (mails and events of accounts), labels, storage and base.
package people
