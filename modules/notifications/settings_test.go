package notifications

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

// A page that no notice concerns fetches nothing for them; the texts of notices are asked for, and stay out of the settings.
func TestTheBrowserKnowsThePagesOfNotices(t *testing.T) {
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
