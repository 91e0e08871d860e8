package storetest_test

import (
	"testing"

	"github.com/wattle-portal/wattle/core/internal/operate/app/apptest"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
)

// Every table of every package in core can be distributed by label_key.
func TestTablesOfCoreContainTheLabel(t *testing.T) {
	apptest.Each(t, apptest.Options{}, func(t *testing.T, s *apptest.Server) { storetest.RequireLabelKeys(t, s.Store) })
}
