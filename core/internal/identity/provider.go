package identity

import (
	"context"

	"github.com/wattle-portal/wattle/core/internal/label"
)

// Provider is an identity service. Errors are module.Problem with the codes of errors.go; anything else is unexpected.
// Usernames arrive normalised, and limits and empty fields are the Service's business.
type Provider interface {
	// SignIn checks a password.
	SignIn(ctx context.Context, l *label.Label, username, password string) (Grant, error)
}

// Grant is what a provider gives for a good password: tokens, or the challenge to choose a new password first.
type Grant struct {
	Subject   string
	Challenge string
}
