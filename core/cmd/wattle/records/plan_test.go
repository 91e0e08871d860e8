package records_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/operate/app/apptest"
	"github.com/wattle-portal/wattle/core/internal/operate/plan"
	"github.com/wattle-portal/wattle/modules"
)

const tutorial = "../../../../docs/first-import.md"

// example writes the files of the tutorial to a folder, and returns the page.
func example(t *testing.T, dir string) string {
	t.Helper()
	page, err := os.ReadFile(tutorial)
	require.NoError(t, err)
	files := regexp.MustCompile(`(?s)cat > back-office/(\S+) <<'END'\n(.*?)END\n`).FindAllStringSubmatch(string(page), -1)
	require.Len(t, files, 3)
	for _, f := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, f[1]), []byte(f[2]), 0o600))
	}
	return string(page)
}

// planned plans a folder, and returns the plan and what the command prints.
func planned(t *testing.T, o plan.Options) (*plan.Plan, string) {
	t.Helper()
	p, err := plan.Make(t.Context(), o)
	require.NoError(t, err)
	var out bytes.Buffer
	p.Print(&out, o)
	return p, out.String()
}

// replace replaces a text in a file.
func replace(t *testing.T, path, from, to string) {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Contains(t, string(text), from)
	require.NoError(t, os.WriteFile(path, []byte(strings.ReplaceAll(string(text), from, to)), 0o600))
}

// block returns the code block of a page that begins with a text.
func block(t *testing.T, page, begins string) string {
	t.Helper()
	_, rest, found := strings.Cut(page, "```text\n"+begins)
	require.True(t, found, begins)
	text, _, _ := strings.Cut(rest, "```")
	return begins + text
}

// The tutorial in docs/first-import.md is true: what it shows is what the command prints.
func TestPlanOfTheTutorial(t *testing.T) {
	t.Parallel()
	labels, dir := t.TempDir(), t.TempDir()
	apptest.WriteLabel(t, labels, apptest.Label{Key: "alpha"}, modules.All)
	page := example(t, dir)
	o := plan.Options{Dir: dir, Label: "alpha", Labels: labels, Modules: modules.All, Now: apptest.Now}
	t.Run("11-import-plan,11-import-example,11-import-sentences", func(t *testing.T) {
		p, out := planned(t, o)
		require.True(t, p.IsNew)
		require.False(t, p.OK())
		require.True(t, strings.HasPrefix(out, block(t, page, "FILE ")), "%s\nis not the start of\n%s", block(t, page, "FILE "), out)
		for _, want := range []string{"Nothing is stored", "cat " + dir + "/mappings.cue >> " + labels + "/alpha/label.cue\n",
			"wattle import --label alpha --mapping klanten " + dir + "/klanten.csv\n", "Correct the mappings in " + dir + "/mappings.cue"} {
			require.Contains(t, out, want)
		}
		written, err := os.ReadFile(filepath.Join(dir, "mappings.cue"))
		require.NoError(t, err)
		for line := range strings.Lines(page[strings.Index(page, "imports: klanten: {"):strings.Index(page, "// … and")]) {
			require.Contains(t, strings.Join(strings.Fields(string(written)), " "), strings.Join(strings.Fields(line), " "))
		}
		require.Contains(t, string(written), `"Termijnbedrag" (needs periodical.proposed_amount too)`)
		require.Contains(t, string(written), `"Opmerking"`)
		entries, err := os.ReadDir(dir)
		require.NoError(t, err)
		require.Len(t, entries, 4, "the three files and the mappings: refused records are not written")
	})
	t.Run("11-import-plan-corrected,11-import-example", func(t *testing.T) {
		replace(t, filepath.Join(dir, "mappings.cue"), `"Dhr.": "MR"`, `"Dhr.": "MR", "Fam.": ""`)
		replace(t, filepath.Join(dir, "facturen.csv"), "C-9999", "C-5002")
		p, out := planned(t, o)
		require.True(t, p.OK(), out)
		require.False(t, p.IsNew)
		require.NotContains(t, out, "refused:")
		replace(t, filepath.Join(dir, "mappings.cue"), `"Mevr.": "MRS"`, `"Mevr.": "MISS"`)
		_, err := plan.Make(t.Context(), o)
		require.ErrorContains(t, err, `salutation.values.Mevr.: "MISS" is not one of MR, MRS, THEHEIRSOF`)
		require.Regexp(t, `mappings\.cue:\d+:\d+: imports\.klanten\.`, err.Error())
		o.Overwrite = true
		p, _ = planned(t, o)
		require.True(t, p.IsNew)
		require.Equal(t, 1, p.Files[0].Refused, "the corrections are gone")
	})
}

// Files that are not those of a back office are named with what to do.
func TestPlanOfOtherFiles(t *testing.T) {
	t.Parallel()
	labels, dir := t.TempDir(), t.TempDir()
	apptest.WriteLabel(t, labels, apptest.Label{Key: "alpha"}, modules.All)
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	o := plan.Options{Dir: dir, Label: "alpha", Labels: labels, Mappings: filepath.Join(t.TempDir(), "m.cue"), Modules: modules.All,
		Now: apptest.Now}
	t.Run("11-import-plan-others", func(t *testing.T) {
		write("lees mij.txt", "x")
		_, err := plan.Make(t.Context(), o)
		require.ErrorIs(t, err, plan.ErrNoFiles)
		write("sheet.csv", "PK\x03\x04")
		write("rayons.csv", "Rayon;Kleur\n1;blauw\n")
		write("Klanten.CSV", "Klantnummer;Naam;Geboren\n1;Bakker;1970\n\n2;Ren\xc3\xa9\n")
		write("latin.csv", "Klantnummer;Naam\n1;Ren\xe9\n")
		write("standen.csv", "Opnamedatum;Stand laag;Stand normaal\n02-01-2026;12,5;13\n01-01-2026;11;12\n")
		p, out := planned(t, o)
		require.False(t, p.OK())
		for _, want := range []string{
			"sheet.csv: is a spreadsheet or a zip file: save the sheet as CSV (UTF-8), or unpack the file\n",
			"latin.csv: is not UTF-8: save it as CSV (UTF-8), or convert it: iconv",
			"rayons.csv: is not recognized: write imports: \"rayons\" in ",
			"Klanten.CSV, refused:\n  1 × field_count, first in line 4: the line has more or fewer values than the first line has names\n",
			"standen.csv, refused:\n  2 × ean_code: required, first in line ",
			"not read, because their names do not end in .csv: lees mij.txt\n",
		} {
			require.Contains(t, out, want)
		}
		written, err := os.ReadFile(o.Mappings)
		require.NoError(t, err)
		for _, want := range []string{`columns that are not read: "Geboren"`, `order: "newest_first"`, `// ean_code: column: "…" // required`,
			`consumption_low: {column: "Stand laag", number: ","}`} {
			require.Contains(t, strings.Join(strings.Fields(string(written)), " "), want)
		}
		replace(t, o.Mappings, `// ean_code: column: "…"`, `ean_code: set: "power"`)
		_, out = planned(t, o)
		require.Contains(t, out, "standen.csv: the mapping: it needs --set power=…")
		o.Settings = map[string]string{"power": "871687120000000011"}
		_, out = planned(t, o)
		require.Contains(t, out, "2 × ean_code: usage.unknown_ean, first in line ")
		require.Contains(t, out, "no connection has this EAN; import connections before their readings and intervals")
	})
	for want, o := range map[string]plan.Options{
		"there is no label beta; see wattle labels list":     {Dir: dir, Label: "beta", Labels: labels},
		"there is no label ../alpha; see wattle labels list": {Dir: dir, Label: "../alpha", Labels: filepath.Join(labels, "x")},
		"no such file": {Dir: filepath.Join(dir, "none"), Label: "alpha", Labels: labels},
	} {
		o.Modules, o.Now = modules.All, apptest.Now
		_, err := plan.Make(t.Context(), o)
		require.ErrorContains(t, err, want)
	}
}
