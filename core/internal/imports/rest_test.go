package imports

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/store"
)

// Customers get as much time as the import held the writer; waiting for the writer and decoding block no one.
func TestResume(t *testing.T) {
	at := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	ms := func(n int) time.Time { return at.Add(time.Duration(n) * time.Millisecond) }
	decoded10waited30held20 := &store.Hold{Requested: ms(10), Released: ms(60), Total: 20 * time.Millisecond}
	require.Equal(t, ms(70), resume(at, ms(61), decoded10waited30held20), "10 ms of decoding follow before the next transaction")
	require.True(t, resume(at, ms(45), &store.Hold{Requested: ms(30), Released: ms(45), Total: 15 * time.Millisecond}).Before(ms(45)), "decoding is pause enough")
	require.Equal(t, ms(40), resume(at, ms(20), &store.Hold{}), "a module that does not tell")
}
