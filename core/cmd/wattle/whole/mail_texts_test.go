package whole_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/labels/icu"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/labels/mail"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/modules"
)

// Every email of core and of every module can be written from its texts, in both languages.
func TestMailTexts(t *testing.T) {
	all := map[string]module.Texts{"core": mail.Texts}
	for _, m := range modules.All {
		if m.Texts != nil {
			all[m.Key] = m.Texts
		}
	}
	t.Run("9-mail-texts-complete", func(t *testing.T) {
		for _, key := range []string{"account", "billing", "core", "marketplace", "move", "notifications", "onboarding"} {
			require.NotEmpty(t, all[key]["nl"], key)
		}
		mails := 0
		for key, texts := range all {
			require.NoError(t, texts.Check(), key)
			ids := map[string]bool{}
			for id := range texts["nl"] {
				part := id[strings.LastIndexByte(id, '.')+1:]
				base := strings.TrimSuffix(id, "."+part)
				require.True(t, strings.HasPrefix(id, key+".mail.") && label.IsMailText(id), id)
				if base != "core.mail.frame" {
					require.Contains(t, []string{"subject", "title", "text", "button", "after", "unsubscribe"}, part, id)
					ids[base] = true
				}
			}
			for id := range ids {
				mails++
				for _, locale := range []string{"nl", "en"} {
					values := valuesOf(t, texts[locale], id)
					m := texts.Mail(locale, id, values)
					parts := append(append([]string{m.Subject, m.Title}, m.Lines...), m.After...)
					if m.Button != nil {
						parts = append(parts, m.Button.Text)
					}
					parts = append(parts, texts.Text(locale, id+".unsubscribe", values))
					for _, text := range parts {
						require.NotContains(t, text, "{", "%s in %s", id, locale)
						require.NotContains(t, text, "!", "%s in %s", id, locale)
					}
					if key != "notifications" { // notification emails contain the title and text of the notification
						require.NotEmpty(t, m.Subject, id)
						require.NotEmpty(t, m.Lines, id)
					}
					for name := range values {
						less := module.Values{}
						for other, value := range values {
							if other != name {
								less[other] = value
							}
						}
						require.Panics(t, func() {
							texts.Mail(locale, id, less)
							texts.Text(locale, id+".unsubscribe", less)
						}, "%s without a value for {%s}", id, name)
					}
				}
			}
		}
		require.Equal(t, 39, mails, "every mail is here; a new one is counted")
	})
}

// valuesOf returns a value for each placeholder of an email: a number, which every format accepts.
func valuesOf(t *testing.T, texts map[string]string, id string) module.Values {
	t.Helper()
	out := module.Values{}
	for other, text := range texts {
		if strings.HasPrefix(other, id+".") {
			m, err := icu.Parse(text)
			require.NoError(t, err, other)
			for _, name := range slices.Clone(m.Names()) {
				out[name] = "3"
			}
		}
	}
	return out
}
