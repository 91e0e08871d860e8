package payment

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestLinkUntil(t *testing.T) {
	t.Run("9-payment-link-life,9-reservation-link-reconcile", func(t *testing.T) {
		now := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
		day := 24 * time.Hour
		assert.Equal(t, now.Add(7*day), LinkUntil(now, now.Add(14*day), time.Time{}, 7))
		assert.Equal(t, now.Add(3*day), LinkUntil(now, now.Add(3*day), time.Time{}, 7))
		assert.Equal(t, now.Add(time.Hour), LinkUntil(now, now.Add(14*day), now.Add(time.Hour), 7))
	})
}
