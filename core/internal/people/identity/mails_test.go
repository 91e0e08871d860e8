package identity

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/labels/label"
)

// A person waits for a code; staff can send many invitations at once.
func TestSecurityMails(t *testing.T) {
	l, r := &label.Label{}, &login{Username: "anna", Email: "anna@example.org"}
	t.Run("11-mail-security-first", func(t *testing.T) {
		require.True(t, codeMail(t.Context(), l, r, "123456").Security)
		require.True(t, reactivationMail(t.Context(), l, r, "secret").Security)
		require.False(t, inviteMail(t.Context(), l, r, "secret").Security)
	})
}
