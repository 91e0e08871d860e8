package coreapi

import "encoding/json"

// EventEmailVerified is published once for each token: the link in a mail was followed. Its data is an EmailVerified, its key the
// token's.
const EventEmailVerified = "core.email_verified"

// EmailVerified is the data of EventEmailVerified. Module is the one that asked for the token: another one's is to be left alone.
type EmailVerified struct {
	Purpose string          `json:"purpose"`
	Key     string          `json:"key"`
	Module  string          `json:"module,omitempty"`
	Data    json.RawMessage `json:"data,omitempty"`
}
