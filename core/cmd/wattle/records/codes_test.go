package records_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/modules"
)

const tree = "../../../.."

// notShown are codes that customers and staff never see, with the reason.
var notShown = map[string][]string{
	"in the report of an import, for operators": {"ambiguous_number", "ambiguous_time", "billing.decimals", "duplicate", "field_count",
		"interval_length", "invalid_encoding", "marketplace.owner_differs", "marketplace.project_unknown", "marketplace.shares_differ",
		"not_a_date", "not_a_number", "not_a_time", "not_aligned", "not_corrected", "production.aligned", "production.day_length",
		"production.future", "production.implausible", "production.negative", "production.nothing", "production.number", "production.too_old",
		"production.unknown_project", "unclosed_quote", "unknown_unit", "unknown_value", "usage.backwards", "usage.coarser", "usage.day_length",
		"usage.decimals", "usage.duplicate", "usage.ean", "usage.in_future", "usage.negative", "usage.no_such_time", "usage.not_aligned",
		"usage.number", "usage.offset_needed", "usage.register", "usage.seconds", "usage.time", "usage.unknown_ean"},
	"a call that the browser does not make": {"loop", "marketplace.project_differs", "marketplace.reason_unknown", "marketplace.sort_unknown",
		"method_not_allowed", "not_acceptable", "request_timeout", "too_many_webhooks", "unsupported_media_type", "usage.range",
		"usage.range_too_long"},
	"the page shows a state instead": {"production.weather_down", "token_expired", "token_used"},
}

// ofHuma are codes that core derives from a status of huma.
var ofHuma = []string{"not_acceptable", "request_timeout", "unsupported_media_type"}

var codeForm = regexp.MustCompile(`^[a-z][a-z_]*(\.[a-zA-Z][a-zA-Z_]*)?$`)

// codesOf returns the codes in a Go file: constants whose names begin with code, and strings that are passed as a code.
func codesOf(file *ast.File) (codes []string) {
	add := func(e ast.Expr) {
		lit, ok := e.(*ast.BasicLit)
		if !ok || lit.Kind != token.STRING {
			return
		}
		if text, err := strconv.Unquote(lit.Value); err == nil && codeForm.MatchString(text) {
			codes = append(codes, text)
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ValueSpec:
			for i, name := range n.Names {
				if strings.HasPrefix(strings.ToLower(name.Name), "code") && i < len(n.Values) {
					add(n.Values[i])
				}
			}
		case *ast.KeyValueExpr:
			if key, ok := n.Key.(*ast.Ident); ok && key.Name == "Code" {
				add(n.Value)
			}
		case *ast.CallExpr:
			name := ""
			switch f := n.Fun.(type) {
			case *ast.SelectorExpr:
				name = f.Sel.Name
			case *ast.Ident:
				name = f.Name
			}
			if slices.Contains([]string{"Fail", "Refuse", "Invalid"}, name) && len(n.Args) > 1 {
				add(n.Args[1])
			}
		}
		return true
	})
	return codes
}

// allCodes returns all codes of the program with a file that has each.
func allCodes(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, folder := range []string{"core", "modules"} {
		require.NoError(t, filepath.WalkDir(filepath.Join(tree, folder), func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && slices.Contains([]string{"testing", "testdata", "moduletest", "portaltest", "apptest", "teams"}, d.Name()):
				return fs.SkipDir
			case filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") || strings.HasSuffix(path, ".gen.go"):
				return nil
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			for _, code := range codesOf(file) {
				out[code] = path
			}
			return nil
		}))
	}
	for _, code := range ofHuma {
		out[code] = "core/problem"
	}
	return out
}

// browserTexts returns the texts of the shell and of the remotes in a language.
func browserTexts(t *testing.T, locale string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, pattern := range []string{"shell/src/messages/", "remotes/*/src/messages/"} {
		files, err := filepath.Glob(filepath.Join(tree, pattern, locale+".json"))
		require.NoError(t, err)
		require.NotEmpty(t, files, pattern)
		for _, f := range files {
			raw, err := os.ReadFile(f)
			require.NoError(t, err)
			require.NoError(t, json.Unmarshal(raw, &out), f)
		}
	}
	return out
}

// Every code has a sentence for developers and operators; codes that customers and staff see have a text in both languages.
func TestEveryCodeHasItsSentences(t *testing.T) {
	t.Parallel()
	t.Run("11-code-sentences", func(t *testing.T) {
		codes, nl, en := allCodes(t), browserTexts(t, "nl"), browserTexts(t, "en")
		require.Greater(t, len(codes), 150)
		for _, code := range []string{"required", "method_not_allowed", "interval_length", "billing.agreement_unknown", "usage.unknown_ean",
			"marketplace.required", "account.username_taken", "wrong_credentials"} {
			require.Contains(t, codes, code, "the search finds codes of each kind")
		}
		hidden := map[string]bool{}
		for reason, list := range notShown {
			for _, code := range list {
				hidden[code] = true
				assert.Contains(t, codes, code, "%s: take the code off the list", reason)
				assert.NotContains(t, nl, code, "%s, but it has a text: take the code off the list", reason)
			}
		}
		for _, code := range slices.Sorted(maps.Keys(codes)) {
			sentence := problem.Sentence(code)
			assert.NotEmpty(t, sentence, "%s of %s has no sentence: add it to Manifest.Problems, or to core/problem", code, codes[code])
			assert.NotRegexp(t, `^[A-Z][a-z]|\.$`, sentence, "%s: a sentence begins with a lower case letter and has no full stop", code)
			if hidden[code] {
				continue
			}
			assert.NotEmpty(t, nl[code], "%s of %s has no text in Dutch", code, codes[code])
			assert.NotEmpty(t, en[code], "%s of %s has no text in English", code, codes[code])
		}
		for _, m := range modules.All {
			for code := range m.Problems {
				assert.Contains(t, codes, code, "module %s has a sentence for a code that is gone", m.Key)
			}
		}
	})
}
