// {import}

package mykey_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/portaltest"
	"github.com/wattle-portal/wattle/core/value"
)

func TestImport(t *testing.T) {
	onPortal(t, "", func(t *testing.T, p *portaltest.Portal) {
		anna := p.Customer("alpha", value.StableID("alpha", "relation", "1001"))
		require.Empty(t, p.Import("alpha", "mykey_note", `{"debtor_number":1001,"id":"x","day":"2026-11-02","text":"Call me"}`))
		assert.Equal(t, []string{"Call me"}, textsOf(anna))
		for record, want := range map[string]string{
			`{"id":"x","day":"2026-11-02","text":"a"}`:                        "debtor_number required",
			`{"debtor_number":"1","id":"x","day":"yesterday","text":"a"}`:     "day invalid",
			`{"debtor_number":"1","id":"x","day":"2026-11-02"}`:               "text required",
			`{"debtor_number":"1","id":"x","day":"2026-11-02","text":"LONG"}`: "text too_long",
			`{"debtor_number":"1","id":" ","day":"2026-11-02","text":"a"}`:    "id required",
		} {
			refused := p.Import("alpha", "mykey_note", strings.ReplaceAll(record, "LONG", strings.Repeat("x", 501)))
			require.Len(t, refused, 1, record)
			assert.Equal(t, want, refused[0].Field+" "+refused[0].Code, record)
		}
	})
}

// {/import}
