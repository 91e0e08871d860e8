package program_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/semver"

	"github.com/wattle-portal/wattle/core/internal/operate/about"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest/stored"
)

const storedFolder = "../testdata/stored"

// released matches the heading of a release in CHANGELOG.md: ## 1.2.3 (2026-11-24).
var released = regexp.MustCompile(`(?m)^## (\d+\.\d+\.\d+) \((\d{4}-\d{2}-\d{2})\)$`)

// unproven returns those releases of the twelve months before the newest release that have no stored data, or whose data this program does
// not upgrade directly. The stored data of the newest release is written after that release.
func unproven(t *testing.T, changelog, upgradesFrom string, isStored func(version string) bool) (out []string) {
	t.Helper()
	all := released.FindAllStringSubmatch(changelog, -1)
	var newest time.Time
	for i, r := range all {
		on, err := time.Parse(time.DateOnly, r[2])
		require.NoError(t, err)
		if i == 0 {
			newest = on
		}
		if on.After(newest.AddDate(-1, 0, 0)) && (i > 0 && !isStored(r[1]) || semver.Compare("v"+r[1], "v"+upgradesFrom) < 0) {
			out = append(out, r[1])
		}
	}
	return out
}

func TestStored(t *testing.T) {
	t.Parallel()
	t.Run("11-upgrade-stored", func(t *testing.T) {
		log := "## Unreleased\n\n## 1.3.0 (2027-11-24)\n\n- **A**\n\n## 1.2.0 (2027-03-01)\n\n## 1.1.0 (2026-11-25)\n\n## 1.0.0 (2026-11-20)\n"
		has := func(versions ...string) func(string) bool {
			return func(v string) bool { return slices.Contains(versions, v) }
		}
		require.Empty(t, unproven(t, log, "1.1.0", has("1.1.0", "1.2.0")))
		require.Equal(t, []string{"1.2.0"}, unproven(t, log, "0.1.0", has("1.1.0")), "stored data is missing")
		require.Equal(t, []string{"1.1.0"}, unproven(t, log, "1.2.0", has("1.1.0", "1.2.0")), "too far")

		text, err := os.ReadFile(filepath.Join(root, "CHANGELOG.md"))
		require.NoError(t, err)
		require.Empty(t, unproven(t, string(text), about.UpgradesFrom, func(version string) bool {
			for _, engine := range stored.Engines {
				for _, kind := range []string{".json", ".tar.zst"} {
					if _, err := os.Stat(filepath.Join(storedFolder, version, engine+kind)); err != nil {
						return false
					}
				}
			}
			return true
		}), "make stored VERSION=… writes what a release stores")
	})
}
