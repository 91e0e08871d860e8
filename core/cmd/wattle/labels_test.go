package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/labels/mail"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/modules"
)

// wattle labels vet knows all texts of mails of core and of the modules of the program, in both languages.
func TestMailTextsOfVet(t *testing.T) {
	t.Run("9-mail-texts-vet", func(t *testing.T) {
		all, some := []module.Texts{mail.Texts}, available{plugins: []string{"tide"}}
		for _, m := range modules.All {
			some.manifests = append(some.manifests, m.Manifest)
			all = append(all, m.Texts)
		}
		face := &label.FrontEnd{Texts: label.Catalogue{"nl": {"account.title": "Account"}}}
		addMailTexts(face, some)
		want := label.Catalogue{"nl": {"account.title": "Account"}, "en": {}}
		for _, texts := range all {
			for locale, own := range texts {
				for id, text := range own {
					want[locale][id] = text
				}
			}
		}
		require.Greater(t, len(want["en"]), 20)
		require.Equal(t, want, face.Texts)
		require.Equal(t, []string{"tide"}, face.WithoutMails, "a plugin does not describe its texts")
	})
}

func TestProblemsOfVet(t *testing.T) {
	t.Run("9-settings-moved", func(t *testing.T) {
		var out strings.Builder
		moved := label.Problem{File: "acme/label.cue", Message: "is read here for this release only", State: label.StateMoved}
		require.NoError(t, printProblems(&out, []label.Problem{moved}), "it is a warning")
		require.Contains(t, out.String(), moved.Message)
		require.Equal(t, exitStatus(1), printProblems(&out, []label.Problem{moved, {File: moved.File, Message: "is wrong"}}))
	})
}
