package order

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/modules/marketplace/internal/fields/fieldstest"
)

func TestOrderRecord(t *testing.T) {
	valid := fieldstest.Values{"identifier": "O-sold", "debtor_number": "1", "offer": "sold", "shares": 3, "status": "COMPLETED",
		"placed": "2025-03-01T14:32:00+01:00", "paid": "2025-03-02", "ended": "2025-04-10T09:05:00+02:00", "transfer_date": "2025-04-10",
		"address": map[string]string{"street_name": "Dam", "house_number": "1", "postal_code": "1012JS", "city": "Amsterdam"}}
	read := func(more string) (importedOrder, string) {
		fields := fieldstest.Values{}
		if more != "" {
			require.NoError(t, json.Unmarshal([]byte(more), &fields))
		}
		o, refused := readOrder(fieldstest.With(t, valid, fields))
		return o, fieldstest.Refused(t, refused)
	}
	zone := time.FixedZone("", 3600)
	t.Run("when it was placed, paid and ended", func(t *testing.T) {
		o, refused := read("")
		require.Empty(t, refused)
		assert.Equal(t, []string{"2025-03-01T13:32:00Z", "2025-03-01T23:00:00Z", "2025-04-10T07:05:00Z"},
			[]string{o.placed.In(zone).Format(time.RFC3339), o.paid.In(zone).Format(time.RFC3339), o.ended.In(zone).Format(time.RFC3339)})
		assert.Equal(t, "O-SOLD", o.reference)
		assert.False(t, o.placed.IsZero())
		assert.False(t, o.paid.IsZero())
		o, refused = read(`{"status":"EXPIRED","paid":""}`)
		require.Empty(t, refused)
		assert.True(t, o.paid.IsZero())
		for more, want := range map[string]string{
			`{"placed":"0001-01-01T00:00:00Z"}`: "placed invalid", `{"placed":"Tuesday"}`: "placed invalid",
			`{"placed":"2025-02-30T10:00:00Z"}`: "placed invalid",
			`{"status":""}`:                     "status required", `{"status":"AWAITING_PAYMENT"}`: "status invalid",
			`{"shares":""}`: "shares required",
			`{"shares":0}`:  "shares invalid", `{"paid":""}`: "paid required", `{"identifier":"a b"}`: "identifier invalid",
		} {
			_, got := read(more)
			assert.Equal(t, want, got, more)
		}
	})
}
