package notifications

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/wattle-portal/wattle/core/record"
	"github.com/wattle-portal/wattle/core/value"
)

func TestLink(t *testing.T) {
	key, other := make([]byte, linkKeySize), make([]byte, linkKeySize)
	_, _ = rand.Read(key)
	_, _ = rand.Read(other)
	t.Run("9-notification-unsubscribe-token", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			l := link{rapid.StringMatching("[0-9a-z]{8,26}").Draw(t, "relation"), rapid.SampledFrom([]Kind{Project, News, Market}).Draw(t, "kind")}
			token, err := l.seal(key, "one")
			require.NoError(t, err)
			got, ok := openLink(key, "one", token)
			require.True(t, ok)
			require.Equal(t, l, got)
			sealed, err := base64.RawURLEncoding.DecodeString(token)
			require.NoError(t, err)
			for _, text := range []string{token, string(sealed)} {
				require.NotContains(t, text, l.relation)
				require.NotContains(t, text, string(l.kind))
			}
			second, err := l.seal(key, "one")
			require.NoError(t, err)
			require.NotEqual(t, token, second, "two mails to one customer have different tokens")
			_, ok = openLink(key, "two", token)
			require.False(t, ok, "in another label")
			_, ok = openLink(other, "one", token)
			require.False(t, ok, "with another key")
			at := rapid.IntRange(0, len(token)-1).Draw(t, "at")
			changed := token[:at] + rapid.SampledFrom([]string{"", "A", "b", "_", "%", "é", "\n"}).Draw(t, "change") + token[at+1:]
			_, ok = openLink(key, "one", changed)
			require.Equal(t, changed == token, ok, "with a changed letter")
		})
		fixed, err := link{"r1", Security}.seal(key, "one")
		require.NoError(t, err)
		_, ok := openLink(key, "one", fixed)
		assert.False(t, ok, "a kind that cannot be switched off")
		for _, l := range []link{{"", News}, {"r1", "other"}, {"r1", ""}} {
			token, err := l.seal(key, "one")
			require.NoError(t, err)
			_, ok = openLink(key, "one", token)
			assert.False(t, ok, "%+v", l)
		}
		for n, opens := range map[int]bool{117: true, 118: false} { // the longest token that is accepted
			token, err := link{strings.Repeat("r", n), News}.seal(key, "one")
			require.NoError(t, err)
			assert.Equal(t, opens, len(token) <= maxLink)
			_, ok = openLink(key, "one", token)
			assert.Equal(t, opens, ok)
		}
		token, err := link{"r1", News}.seal(key, "one")
		require.NoError(t, err)
		_, ok = openLink(key[1:], "one", token)
		assert.False(t, ok, "with an invalid key")
		_, err = link{"r1", News}.seal(nil, "one")
		assert.Error(t, err)
	})
}

func FuzzLink(f *testing.F) {
	key := make([]byte, linkKeySize)
	good, _ := link{"r1", News}.seal(key, "one")
	f.Add(good)
	f.Add("")
	f.Add(strings.Repeat("A", maxLink+1))
	f.Fuzz(func(t *testing.T, token string) {
		if l, ok := openLink(key, "one", token); ok && token != good {
			t.Errorf("%q was accepted as %v", token, l)
		}
	})
}

func FuzzRecord(f *testing.F) {
	for _, s := range []string{`{}`, `[]`, `{"id":"a","title":"t","message":"m","published":"2026-01-01"}`,
		`{"id":1,"title":{"nl":"a"},"message":5,"published":"0000-00-00","read":"x"}`,
		`{"id":"a","title":"t","message":"m","published":"9999-12-31T23:59:59Z","project_code":"../x","debtor_number":"' OR 1"}`} {
		f.Add(s)
	}
	now := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, s string) {
		n, refusals := readImported(record.Row{Line: 3, Data: json.RawMessage(s)}, "one", time.UTC, now)
		for _, w := range refusals {
			if w.Line != 3 || w.Code == "" {
				t.Errorf("%q: %v", s, w)
			}
		}
		if len(refusals) > 0 {
			return
		}
		for _, text := range []string{n.row.TitleNL, n.row.TitleEN, n.row.MessageNL, n.row.MessageEN, n.row.ProjectCode} {
			if strings.Contains(text, "\x00") {
				t.Errorf("%q contains characters that PostgreSQL refuses", text)
			}
		}
		if n.row.TitleNL == "" || n.row.MessageEN == "" || n.row.ID == "" || n.row.PublishAt.IsZero() ||
			n.row.AudienceAt.Before(n.row.PublishAt) || n.row.AudienceAt.Before(now) {
			t.Errorf("%q was accepted as %+v", s, n.row)
		}
		requireHarmless(t, s, n.row.MessageNL)
	})
}

func TestHolds(t *testing.T) {
	day := func(s string) value.Day {
		d, err := value.ParseDay(s)
		require.NoError(t, err)
		return d
	}
	t.Run("9-notice-dates", func(t *testing.T) {
		n := NoticeSettings{From: day("2026-11-24"), Until: day("2026-11-30")}
		open := NoticeSettings{From: day("2026-11-24")}
		for d, want := range map[string]bool{"2026-11-23": false, "2026-11-24": true, "2026-11-30": true, "2026-12-01": false} {
			assert.Equal(t, want, n.isShown(day(d)), d)
			assert.Equal(t, d != "2026-11-23", open.isShown(day(d)), d)
		}
	})
}
