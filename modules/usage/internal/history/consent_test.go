package history

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
)

func TestConsent(t *testing.T) {
	one, two := meter.Connection{EANCode: "1", Commodity: meter.Electricity, MeterType: meter.Smart},
		meter.Connection{EANCode: "2", Commodity: meter.Gas, MeterType: meter.Smart}
	old := meter.Connection{EANCode: "3", Commodity: meter.Gas, MeterType: meter.Conventional}
	all := []meter.Connection{one, two, old}
	at := func(h int) time.Time { return time.Date(2026, 11, 20, h, 0, 0, 0, time.UTC) }

	t.Run("one decision per smart meter, none for other meters", func(t *testing.T) {
		got := NewDecisions(all, nil, true, "", "v1", at(9))
		assert.Equal(t, []Decision{{"1", true, at(9), "v1"}, {"2", true, at(9), "v1"}}, got)
		assert.Empty(t, NewDecisions(all, nil, true, "3", "v1", at(9)))
		assert.Empty(t, NewDecisions(all, nil, false, "", "v1", at(9)), "there is nothing to revoke")
	})
	latest := map[string]Decision{"1": {"1", true, at(9), "v1"}, "2": {"2", true, at(10), "v1"}}
	t.Run("only a change or another text adds a decision", func(t *testing.T) {
		assert.Empty(t, NewDecisions(all, latest, true, "", "v1", at(11)))
		assert.Len(t, NewDecisions(all, latest, true, "1", "v2", at(11)), 1)
		assert.Equal(t, []Decision{{"2", false, at(11), "v1"}}, NewDecisions(all, latest, false, "2", "v1", at(11)))
	})
	t.Run("the status follows from the latest decisions", func(t *testing.T) {
		c := ConsentStatus(all, latest, "v2")
		assert.True(t, c.ConsentPresent)
		assert.Equal(t, at(10), *c.ConsentDateTime)
		assert.Nil(t, c.RevokedDateTime)
		assert.Equal(t, "v2", c.TextVersion)
		assert.Equal(t, "v1", c.Connections[0].TextVersion)
		assert.False(t, c.Connections[2].Supported)
		latest["2"] = Decision{"2", false, at(12), "v1"}
		c = ConsentStatus(all, latest, "v2")
		assert.False(t, c.ConsentPresent, "not all connections have consent")
		assert.Nil(t, c.ConsentDateTime)
		assert.Equal(t, at(12), *c.RevokedDateTime)
		assert.True(t, c.Connections[0].ConsentPresent)
		assert.False(t, ConsentStatus([]meter.Connection{old}, nil, "v1").ConsentPresent, "no smart meter")
	})
}
