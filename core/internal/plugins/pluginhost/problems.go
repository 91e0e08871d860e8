package pluginhost

import (
	"maps"
	"strings"
	"unicode"

	"github.com/wattle-portal/wattle/core/module"
)

// maxSentence is the maximum length in bytes of a plugin's sentence for an error code.
const maxSentence = 300

// sentencesOf returns the sentences of a plugin for its own error codes. A plugin cannot change those of core or of another module, and a
// sentence that is not one line of limited length is left out, because reports show it on a terminal (11-import-sentences).
func sentencesOf(m module.Manifest) map[string]string {
	own := maps.Clone(m.Problems)
	maps.DeleteFunc(own, func(code, sentence string) bool {
		return !strings.HasPrefix(code, m.Key+".") || len(sentence) > maxSentence || strings.ContainsFunc(sentence, unicode.IsControl)
	})
	return own
}
