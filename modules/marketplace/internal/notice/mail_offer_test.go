package notice

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/wattle-portal/wattle/modules/marketplace/internal/offer"
)

func TestRejection(t *testing.T) {
	t.Run("4-rejection-reasons,4-rejection-provider-value", func(t *testing.T) {
		assert.Equal(t, []string{"PARTICIPATION_UNKNOWN", "MULTIPLE_PARTICIPATIONS_PROJECT", "INSUFFICIENT_SHARES", "SELLING_NOT_ALLOWED", "REJECTED_BY_PROVIDER"}, offer.Rejections)
		said := map[string]bool{}
		for _, reason := range offer.Rejections {
			assert.Empty(t, offer.CheckReason(reason))
			m, ok := Mail(Reader{Locale: "nl", Zone: time.UTC}, Notice{Kind: OfferRejected, Reason: reason})
			assert.True(t, ok)
			said[m.Lines[0]] = true
		}
		assert.Len(t, said, len(offer.Rejections), "each reason is mailed")
		assert.NotEmpty(t, offer.CheckReason(""))
		assert.NotEmpty(t, offer.CheckReason("I do not like it"))
	})
	assert.Equal(t, offer.RejectUnknown, offer.Judge(0, true, true))
	assert.Equal(t, offer.RejectSeveral, offer.Judge(2, true, true))
	assert.Equal(t, offer.RejectShares, offer.Judge(1, false, true))
	assert.Equal(t, offer.RejectSelling, offer.Judge(1, true, false))
	assert.Empty(t, offer.Judge(1, true, true))
}
