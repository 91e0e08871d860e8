package offer

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/wattle-portal/wattle/modules/marketplace/internal/notice"
)

func TestRejection(t *testing.T) {
	t.Run("4-rejection-reasons,4-rejection-provider-value", func(t *testing.T) {
		assert.Equal(t, []string{"PARTICIPATION_UNKNOWN", "MULTIPLE_PARTICIPATIONS_PROJECT", "INSUFFICIENT_SHARES", "SELLING_NOT_ALLOWED",
			"REJECTED_BY_PROVIDER"}, Rejections)
		said := map[string]bool{}
		for _, reason := range Rejections {
			assert.Empty(t, CheckReason(reason))
			m, ok := notice.Mail(notice.Reader{Locale: "nl", Zone: time.UTC}, notice.Notice{Kind: notice.OfferRejected, Reason: reason})
			assert.True(t, ok)
			said[m.Lines[0]] = true
		}
		assert.Len(t, said, len(Rejections), "each reason is mailed")
		assert.NotEmpty(t, CheckReason(""))
		assert.NotEmpty(t, CheckReason("I do not like it"))
	})
	assert.Equal(t, RejectUnknown, RejectionReason(0, true, true))
	assert.Equal(t, RejectSeveral, RejectionReason(2, true, true))
	assert.Equal(t, RejectShares, RejectionReason(1, false, true))
	assert.Equal(t, RejectSelling, RejectionReason(1, true, false))
	assert.Empty(t, RejectionReason(1, true, true))
}
