package storetest_test

import (
	"context"
	"testing"

	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
)

func TestEachGivesAnEmptyDatabase(t *testing.T) {
	for range 3 {
		storetest.Each(t, func(t *testing.T, s *store.Store) {
			if _, err := s.DB().ExecContext(context.Background(), "CREATE TABLE x (a integer)"); err != nil {
				t.Fatal(err)
			}
		})
	}
}
