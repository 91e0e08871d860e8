package logline_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"io/fs"
	"log/slog"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/base/logline"
)

// number matches an attribute whose value is a duration as a number, without a unit.
var number = regexp.MustCompile(`\.(Milliseconds|Microseconds|Nanoseconds|Seconds|Minutes|Hours)\(\)`)

// 11-log-durations
func TestDurationsHaveTheirUnit(t *testing.T) {
	t.Run("11-log-durations", func(t *testing.T) {
		var out bytes.Buffer
		log := slog.New(logline.NewHandler(&out, slog.LevelInfo)).With("limit", 2*time.Minute)
		log.Info("x", "took", 1500*time.Millisecond, slog.Group("inside", slog.Duration("wait", 250*time.Microsecond)), "bytes", 3)
		assert.Contains(t, out.String(), `"limit":"2m0s"`)
		assert.Contains(t, out.String(), `"took":"1.5s"`)
		assert.Contains(t, out.String(), `"wait":"250µs"`)
		assert.Contains(t, out.String(), `"bytes":3`)

		const root = "../../../.."
		handlers, lines := 0, 0
		require.NoError(t, filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if name := d.Name(); d.IsDir() && (name == "node_modules" || name == "testdata" || strings.HasPrefix(name, ".") && len(name) > 2) {
				return fs.SkipDir
			}
			if filepath.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go") {
				return nil
			}
			set := token.NewFileSet()
			parsed, err := parser.ParseFile(set, file, nil, 0)
			if err != nil {
				return err
			}
			ast.Inspect(parsed, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				name := text(t, set, call.Fun)
				switch {
				case name == "slog.NewJSONHandler":
					handlers++
					uses := false
					ast.Inspect(parsed, func(n ast.Node) bool {
						id, ok := n.(*ast.Ident)
						uses = uses || ok && id.Name == "WithUnit"
						return true
					})
					assert.True(t, uses, "%s writes JSON lines without logline.WithUnit", file)
				case regexp.MustCompile(`(?i)\blog(ger)?\.(Debug|Info|Warn|Error|Log|LogAttrs)(Context)?$`).MatchString(name):
					lines++
					assert.Empty(t, number.FindString(text(t, set, call)),
						"%s: a number of a duration in a log line has no unit; give the duration itself", set.Position(call.Pos()))
				}
				return true
			})
			return nil
		}))
		assert.Positive(t, handlers, "the sources are where this test thinks")
		assert.Greater(t, lines, 30, "the sources are where this test thinks")
		assert.NotEmpty(t, number.FindString(`log.Info("x", "took", d.Milliseconds())`))
	})
}

func text(t *testing.T, set *token.FileSet, n ast.Node) string {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, printer.Fprint(&out, set, n))
	return out.String()
}
