package arch

import (
	"go/scanner"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

const (
	maxLine = 140 // characters in a line of Go
	maxText = 60  // a line with more characters in its strings may be longer, because a string that is split cannot be searched for
)

// longLines returns the numbers of the lines that are too long although their strings are short.
func longLines(source string) (out []int) {
	set := token.NewFileSet()
	file := set.AddFile("", -1, len(source))
	var s scanner.Scanner
	s.Init(file, []byte(source), func(token.Position, string) {}, 0)
	texts := map[int]int{}
	for pos, tok, lit := s.Scan(); tok != token.EOF; pos, tok, lit = s.Scan() {
		if tok != token.STRING {
			continue
		}
		for n, part := range strings.Split(lit, "\n") {
			texts[file.Line(pos)+n] += utf8.RuneCountInString(part)
		}
	}
	for i, line := range strings.Split(source, "\n") {
		if utf8.RuneCountInString(line) > maxLine && texts[i+1] <= maxText {
			out = append(out, i+1)
		}
	}
	return out
}

func TestLinesAreShort(t *testing.T) {
	for _, s := range sources(t) {
		text, err := os.ReadFile(filepath.Join(root, s.file))
		require.NoError(t, err)
		if strings.Contains(string(text), "DO NOT EDIT") || strings.Contains(s.file, "/testdata/") {
			continue
		}
		for _, line := range longLines(string(text)) {
			t.Errorf("%s:%d is longer than %d characters", s.file, line, maxLine)
		}
	}
	long := strings.Repeat("a, ", 46) + "a" // 139
	require.Empty(t, longLines("package p\n\nvar x = f("+long[:maxLine-11]+")"))
	require.Equal(t, []int{3}, longLines("package p\n\nvar x = f("+long+")"))
	require.Empty(t, longLines("package p\n\nvar x = f(`"+long+"`)"), "a long string")
	require.Equal(t, []int{3}, longLines("package p\n\nvar x = f(\""+long[:maxText-2]+"\", "+long+")"))
}
