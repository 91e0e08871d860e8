package test_test

import (
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/portaltest"
	"github.com/wattle-portal/wattle/test/fixture"
)

// Two processes get the same request with the same key at the same time: the second waits for the basket that the first orders, and must
// return that order. Both requests wait for a lock of the test first, so that neither is done before the other begins.
func TestSecondClickAtAnotherReplica(t *testing.T) {
	fixture.Shops(t, portaltest.Options{AtOnce: true}, func(t *testing.T, s *fixture.Shop) {
		if !s.CanReplicate() {
			t.Skip("processes share PostgreSQL only")
		}
		seller, buyer := s.With(t, 10), s.With(t, 0)
		buyer.Adds(t, s.Offer(t, seller, 10, 40, nil), 2)
		both := []*portaltest.Portal{s.Portal, s.Replica()}
		tx, err := s.DB().BeginTx(t.Context(), nil)
		require.NoError(t, err)
		_, err = tx.ExecContext(t.Context(), "SELECT 1 FROM marketplace_baskets FOR UPDATE")
		require.NoError(t, err)
		answers := make([]portaltest.Answer, len(both))
		var wg sync.WaitGroup
		for i, p := range both {
			wg.Go(func() {
				answers[i] = p.Do(portaltest.Call{Method: http.MethodPost, Path: "/sustainable/basket/order", Bearer: buyer.Bearer,
					Body:   fixture.OrderRequest(nil),
					Header: map[string]string{"Idempotency-Key": "twice"}})
			})
		}
		waiting := func() bool {
			var n int
			err := s.DB().NewRaw("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'").Scan(t.Context(), &n)
			return assert.NoError(t, err) && n == len(both)
		}
		assert.Eventually(t, waiting, time.Minute, time.Millisecond)
		require.NoError(t, tx.Rollback())
		wg.Wait()
		t.Run("11-order-key-replicas", func(t *testing.T) {
			first, second := fixture.Body[fixture.Placed](t, answers[0], 200), fixture.Body[fixture.Placed](t, answers[1], 200)
			require.Equal(t, []string{"SUCCESS", "SUCCESS"}, []string{first.Status, second.Status})
			assert.Equal(t, first.Order.ID, second.Order.ID)
			assert.Len(t, fixture.Body[[]fixture.Order](t, buyer.Do(http.MethodGet, "/sustainable/orders", nil), 200), 1)
		})
	})
}
