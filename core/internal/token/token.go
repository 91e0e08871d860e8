// Package token keeps single-use links that prove that somebody reads a mailbox: a module asks for a token and mails it, core
// verifies it without a login and publishes that it was (7.5-post-verify).
package token

import (
	"context"
	"encoding/json"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/module"
)

// EventVerified is published once per token; its data is a Verified.
const EventVerified = "core.email_verified"

// Request says what a token proves. Purpose, Key and Data come back in the event, untouched.
type Request struct {
	Purpose string          `json:"purpose" minLength:"1" maxLength:"64" doc:"What the mail is for, such as account.email"`
	Key     string          `json:"key" minLength:"1" maxLength:"200" doc:"What it is about: a change, a registration"`
	Data    json.RawMessage `json:"data,omitempty" doc:"Comes back in the event"`
	TTL     int             `json:"ttl_seconds" minimum:"1" maximum:"7776000" doc:"How long the link works"`
}

// Verified is the data of EventVerified.
type Verified struct {
	Purpose string          `json:"purpose"`
	Key     string          `json:"key"`
	Data    json.RawMessage `json:"data,omitempty"`
	Module  string          `json:"module"` // that asked for the token; empty for core itself
}

// Service makes and verifies tokens.
type Service struct {
	db  module.DB
	now func() time.Time
}

// New makes the service on core's database; now is the injected clock.
func New(db module.DB, now func() time.Time) *Service { return &Service{db, now} }

// Create makes a token for the label of the call. Only its hash is stored.
func (s *Service) Create(ctx context.Context, r Request) (string, error) { return "", nil }

// Verify uses up a token of the label of the call and publishes EventVerified. Problems: 404 unknown, 410 expired, 412 used before.
func (s *Service) Verify(ctx context.Context, token string) error { return nil }

// Routes registers POST /tokens for siblings and the public POST /emailverification/verify/{token}.
func (s *Service) Routes(a huma.API) {}
