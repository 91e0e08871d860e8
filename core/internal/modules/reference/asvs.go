package reference

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// asvsTable is the file with the program's assessment against the OWASP Application Security Verification Standard, and asvsName is the
// page that shows it.
const asvsTable, asvsName = "docs/security/asvs.tsv", "docs/security/asvs.md"

// statuses are the possible results for an ASVS requirement, in the order of the page.
var statuses = []string{"met", "not met", "operator", "not applicable"}

// chapters are the chapter names of ASVS 5.0.0.
var chapters = []string{"Encoding and sanitization", "Validation and business logic", "Web frontend security", "API and web service",
	"File handling", "Authentication", "Session management", "Authorization", "Self-contained tokens", "OAuth and OIDC", "Cryptography",
	"Secure communication", "Configuration", "Data protection", "Secure coding and architecture", "Security logging and error handling",
	"WebRTC"}

// answer is the assessment of one ASVS requirement.
type answer struct {
	ID, Level, Status, What, How string
	Evidence                     []string // row ids, Go test names, file paths
}

func (a answer) chapter() string { c, _, _ := strings.Cut(a.ID, "."); return c }

func readAnswers(root string) (all []answer, err error) {
	text, err := os.ReadFile(filepath.Join(root, asvsTable))
	if err != nil {
		return nil, err
	}
	for i, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")[1:] {
		f := strings.Split(line, "\t")
		if len(f) != 6 {
			return nil, fmt.Errorf("%s:%d: has %d columns instead of 6", asvsTable, i+2, len(f))
		}
		all = append(all, answer{f[0], f[1], f[2], f[3], f[4], strings.Fields(f[5])})
	}
	return all, nil
}

// asvsPage returns the page with the assessment, with a table for each chapter.
func asvsPage(all []answer) string {
	var b strings.Builder
	b.WriteString(generated + "# OWASP ASVS 5.0.0, levels 1 and 2\n\n" +
		"Each requirement of the [OWASP Application Security Verification Standard 5.0.0](https://github.com/OWASP/ASVS/tree/v5.0.0) at levels 1 and 2 " +
		"is summarized here in our own words; the standard has the exact text. The answers are in [asvs.tsv](asvs.tsv), which maintainers change with the program; " +
		"they were found by reading the program and its tests, not by an independent review. [security.md](../security.md) describes the security model.\n\n" +
		"- **met**: the program meets the requirement. The evidence is a row of [requirements.tsv](../requirements.tsv), which tests prove, a Go test, or a file\n" +
		"- **not met**: with what would be needed; \"not examined\" also counts as not met\n" +
		"- **operator**: you must meet it, and the answer describes how\n" +
		"- **not applicable**: with the reason\n\n| chapter | requirements |")
	for _, s := range statuses {
		b.WriteString(" " + s + " |")
	}
	b.WriteString("\n|---|---|" + strings.Repeat("---|", len(statuses)) + "\n")
	total := make([]int, len(statuses)+1)
	line := func(name string, counts []int) {
		b.WriteString("| " + name + " |")
		for _, n := range counts {
			fmt.Fprintf(&b, " %d |", n)
		}
		b.WriteByte('\n')
	}
	for i, name := range chapters {
		counts := make([]int, len(statuses)+1)
		for _, a := range all {
			if a.chapter() == fmt.Sprint(i+1) {
				counts[0]++
				counts[slices.Index(statuses, a.Status)+1]++
			}
		}
		for j, n := range counts {
			total[j] += n
		}
		line(fmt.Sprintf("[V%d %s](#v%d-%s)", i+1, name, i+1, strings.ReplaceAll(strings.ToLower(name), " ", "-")), counts)
	}
	line("all", total)
	for i, name := range chapters {
		fmt.Fprintf(&b, "\n## V%d %s\n\n| id | level | requirement | status | how | evidence |\n|---|---|---|---|---|---|\n", i+1, name)
		for _, a := range all {
			if a.chapter() != fmt.Sprint(i+1) {
				continue
			}
			var evidence []string
			for _, e := range a.Evidence {
				if strings.ContainsAny(e, "/") || isFile(e) {
					e = "[" + e + "](../../" + e + ")"
				} else {
					e = "`" + e + "`"
				}
				evidence = append(evidence, e)
			}
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n", a.ID, a.Level, cell(a.What), a.Status, cell(a.How), strings.Join(evidence, ", "))
		}
	}
	return b.String()
}

// isFile reports whether evidence without a folder is a file name.
func isFile(evidence string) bool {
	return slices.Contains([]string{"Makefile", "go.sum", "package-lock.json", "tsconfig.base.json"}, evidence)
}

var goTest = regexp.MustCompile(`(?m)^func (Test\w+)\(t \*testing\.T\)`)

// evidenceOf returns every row id and every Go test name that can be used as evidence.
func evidenceOf(root string) (map[string]bool, error) {
	known := map[string]bool{}
	rows, err := os.ReadFile(filepath.Join(root, "docs/requirements.tsv"))
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(rows)) {
		id, _, _ := strings.Cut(line, "\t")
		known[id] = true
	}
	for _, folder := range []string{"core", "modules", "test", "tools"} {
		err = errors.Join(err, filepath.WalkDir(filepath.Join(root, folder), func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() && d.Name() == "node_modules" {
				return fs.SkipDir
			}
			if !strings.HasSuffix(path, "_test.go") {
				return nil
			}
			text, err := os.ReadFile(path)
			for _, m := range goTest.FindAllStringSubmatch(string(text), -1) {
				known[m[1]] = true
			}
			return err
		}))
	}
	return known, err
}
