package reference

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The number of ASVS 5.0.0 requirements by level.
const (
	asvsLevel1 = `1.2.1-5 1.3.1-2 1.5.1 2.1.1 2.2.1-2 2.3.1 3.2.1-2 3.3.1 3.4.1-2 3.5.1-3 4.1.1 4.4.1 5.2.1-2 5.3.1-2 6.1.1 6.2.1-8 6.3.1-2
		6.4.1-2 7.2.1-4 7.4.1-2 8.1.1 8.2.1-2 8.3.1 9.1.1-3 9.2.1 10.4.1-5 11.3.1-2 11.4.1 12.1.1 12.2.1-2 13.4.1 14.2.1 14.3.1 15.1.1
		15.2.1 15.3.1`
	asvsLevel2 = `1.1.1-2 1.2.6-9 1.3.3-11 1.4.1-3 1.5.2 2.1.2-3 2.2.3 2.3.2-4 2.4.1 3.3.2-4 3.4.3-6 3.5.4-5 3.7.1-2 4.1.2-3 4.2.1 4.3.1-2
		4.4.2-4 5.1.1 5.2.3 5.4.1-3 6.1.2-3 6.2.9-12 6.3.3-4 6.4.3-4 6.5.1-5 6.6.1-3 6.8.1-4 7.1.1-3 7.3.1-2 7.4.3-5 7.5.1-2 7.6.1-2 8.1.2
		8.2.3 8.4.1 9.2.2-4 10.1.1-2 10.2.1-2 10.3.1-4 10.4.6-11 10.5.1-5 10.6.1-2 10.7.1-3 11.1.1-2 11.2.1-3 11.3.3 11.4.2-4 11.5.1 11.6.1
		12.1.2-3 12.3.1-4 13.1.1 13.2.1-5 13.3.1-2 13.4.2-5 14.1.1-2 14.2.2-4 14.3.2-3 15.1.2-3 15.2.2-3 15.3.2-7 16.1.1 16.2.1-5 16.3.1-4
		16.4.1-3 16.5.1-3 17.1.1 17.2.1-4 17.3.1-2`
)

var asvsRange = regexp.MustCompile(`^(\d+\.\d+)\.(\d+)(?:-(\d+))?$`)

func levels(t *testing.T) map[string]string {
	all := map[string]string{}
	for level, list := range map[string]string{"1": asvsLevel1, "2": asvsLevel2} {
		for _, text := range strings.Fields(list) {
			m := asvsRange.FindStringSubmatch(text)
			require.NotNil(t, m, text)
			first, _ := strconv.Atoi(m[2])
			last := first
			if m[3] != "" {
				last, _ = strconv.Atoi(m[3])
			}
			for n := first; n <= last; n++ {
				all[fmt.Sprintf("%s.%d", m[1], n)] = level
			}
		}
	}
	return all
}

func TestPageOfASVS(t *testing.T) {
	all, err := readAnswers(root)
	require.NoError(t, err)
	t.Run("11-security-asvs", func(t *testing.T) {
		want := levels(t)
		require.Len(t, want, 70+183)
		known, err := evidenceOf(root)
		require.NoError(t, err)
		got := map[string]string{}
		for _, a := range all {
			assert.NotContains(t, got, a.ID, "twice")
			got[a.ID] = a.Level
			require.Contains(t, statuses, a.Status, a.ID)
			assert.NotEmpty(t, a.What, a.ID)
			assert.NotEmpty(t, a.How, a.ID)
			if a.Status == "met" {
				assert.NotEmpty(t, a.Evidence, a.ID)
			}
			for _, e := range a.Evidence {
				if !known[e] {
					_, err := os.Stat(filepath.Join(root, e))
					assert.NoError(t, err, "%s names %s, which is not a row, test or file", a.ID, e)
				}
			}
		}
		require.Equal(t, want, got)
		if page := asvsPage(all); *update {
			require.NoError(t, os.WriteFile(filepath.Join(root, asvsName), []byte(page), 0o644))
		} else {
			text, err := os.ReadFile(filepath.Join(root, asvsName))
			require.NoError(t, err)
			assert.Equal(t, string(text), page, "%s is stale: run make generate", asvsName)
		}
	})
}
