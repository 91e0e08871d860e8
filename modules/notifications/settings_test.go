package notifications

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

// The browser requests notices only on pages that have notices; its settings do not contain the texts of notices.
func TestBrowserSettingsContainNoticePages(t *testing.T) {
	for in, want := range map[string]string{
		`{"inbox": true, "market_messages": true, "mail": ["project"]}`:                                                  `{"inbox": true, "notice_pages": []}`,
		`{"inbox": false, "notices": {"a": {"pages": ["/usage", "/home"]}, "b": {"pages": ["/home"]}}}`:                  `{"inbox": false, "notice_pages": ["/home", "/usage"]}`,
		`{"inbox": false, "notices": {"a": {"pages": ["/usage"], "title": {"nl": "x", "en": "x"}}, "b": {"pages": []}}}`: `{"inbox": false, "notice_pages": ["*", "/usage"]}`,
	} {
		out, err := manifest.Browser(json.RawMessage(in))
		require.NoError(t, err)
		require.JSONEq(t, want, string(out))
	}
}
