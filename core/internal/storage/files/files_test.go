package files

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/files"
	"github.com/wattle-portal/wattle/core/problem"
)

const pdf = "%PDF-1.7\n…"

func code(err error) string {
	if p, ok := errors.AsType[*problem.Problem](err); ok {
		return p.Code
	}
	return ""
}

func read(t *testing.T, s *Store, label, name string) string {
	t.Helper()
	f, err := s.Get(t.Context(), label, name)
	require.NoError(t, err, name)
	b, err := io.ReadAll(f)
	require.NoError(t, err)
	require.NoError(t, f.Close())
	return string(b)
}

// keeps tests the behavior that both backends share.
func keeps(t *testing.T, s *Store) {
	t.Helper()
	ctx := t.Context()
	for _, name := range []string{"a.pdf", "invoices/2026/F2026-0042.pdf", "1/2/3/4/5/6/7/8.pdf"} {
		require.NoError(t, s.Put(ctx, "one", name, strings.NewReader(pdf+name)), name)
		require.Equal(t, pdf+name, read(t, s, "one", name))
	}
	require.NoError(t, s.Put(ctx, "one", "a.pdf", strings.NewReader(pdf+"again")))
	require.Equal(t, pdf+"again", read(t, s, "one", "a.pdf"))
	f, err := s.Get(ctx, "one", "a.pdf")
	require.NoError(t, err)
	require.Equal(t, "application/pdf", f.Type)
	require.EqualValues(t, len(pdf+"again"), f.Size)
	require.False(t, f.Modified.IsZero())
	require.NoError(t, f.Close())

	_, err = s.Get(ctx, "two", "a.pdf")
	require.Equal(t, files.CodeNotFound, code(err), "a label does not see the files of another")
	_, err = s.Get(ctx, "one", "b.pdf")
	require.Equal(t, files.CodeNotFound, code(err))
	_, err = s.Get(ctx, "one", "a.pdf/b.pdf")
	require.Equal(t, files.CodeNotFound, code(err))
	_, err = s.Get(ctx, "one", "../two/a.pdf")
	require.Equal(t, files.CodeName, code(err))
	require.Equal(t, files.CodeName, code(s.Put(ctx, "one", "../two/a.pdf", strings.NewReader(pdf))))
	require.Equal(t, files.CodeType, code(s.Put(ctx, "one", "c.pdf", strings.NewReader("<html>"))))
	_, err = s.Get(ctx, "one", "c.pdf")
	require.Equal(t, files.CodeNotFound, code(err), "what was refused is not kept")

	large := pdf + strings.Repeat("x", 5<<20)
	require.NoError(t, s.Put(ctx, "one", "large.pdf", strings.NewReader(large)))
	require.Equal(t, large, read(t, s, "one", "large.pdf"))
	require.NoError(t, s.Put(ctx, "one", "empty.csv", strings.NewReader("")))
	require.Empty(t, read(t, s, "one", "empty.csv"))
	var listed []string
	require.NoError(t, s.List(ctx, func(e Entry) error {
		if e.Name == "one/a.pdf" {
			require.Equal(t, int64(len(pdf+"again")), e.Size)
		}
		require.False(t, e.Modified.IsZero())
		listed = append(listed, e.Name)
		return nil
	}))
	require.True(t, slices.IsSorted(listed), listed)
	for _, name := range []string{"one/1/2/3/4/5/6/7/8.pdf", "one/a.pdf", "one/invoices/2026/F2026-0042.pdf"} {
		require.Contains(t, listed, name)
	}
	stop := errors.New("enough")
	require.ErrorIs(t, s.List(ctx, func(Entry) error { return stop }), stop)
}

func TestFolder(t *testing.T) {
	data := t.TempDir()
	s, err := Open(t.Context(), Config{Data: data})
	require.NoError(t, err)
	defer func() { require.NoError(t, s.Close()) }()
	keeps(t, s)
	left, err := filepath.Glob(filepath.Join(data, "files", "one", ".part-*"))
	require.NoError(t, err)
	require.Empty(t, left)

	t.Run("a file put there by hand", func(t *testing.T) {
		require.NoError(t, os.WriteFile(filepath.Join(data, "files", "one", "hand.pdf"), []byte(pdf), 0o600))
		require.Equal(t, pdf, read(t, s, "one", "hand.pdf"))
		require.NoError(t, os.WriteFile(filepath.Join(data, "files", "one", "page.pdf"), []byte("<html><script>"), 0o600))
		_, err := s.Get(t.Context(), "one", "page.pdf")
		require.Equal(t, files.CodeType, code(err))
	})
	t.Run("nothing leads out of the label", func(t *testing.T) {
		outside := filepath.Join(data, "secret.pdf")
		require.NoError(t, os.WriteFile(outside, []byte(pdf+"secret"), 0o600))
		one := filepath.Join(data, "files", "one")
		require.NoError(t, s.Put(t.Context(), "two", "theirs.pdf", strings.NewReader(pdf)))
		for name, target := range map[string]string{"link.pdf": outside, "up.pdf": "../../secret.pdf", "two.pdf": "../two/theirs.pdf"} {
			require.NoError(t, os.Symlink(target, filepath.Join(one, name)))
			f, err := s.Get(t.Context(), "one", name)
			require.Error(t, err, name)
			require.Nil(t, f)
		}
		require.NoError(t, os.Symlink("..", filepath.Join(one, "folder")))
		_, err := s.Get(t.Context(), "one", "folder/two/theirs.pdf")
		require.Error(t, err)
	})
	t.Run("nothing but files", func(t *testing.T) {
		require.NoError(t, os.Mkdir(filepath.Join(data, "files", "one", "dir.pdf"), 0o700))
		require.NoError(t, syscall.Mkfifo(filepath.Join(data, "files", "one", "pipe.pdf"), 0o600))
		for _, name := range []string{"dir.pdf", "pipe.pdf"} {
			_, err := s.Get(t.Context(), "one", name)
			require.Equal(t, files.CodeNotFound, code(err), name)
		}
	})
}

func TestNames(t *testing.T) {
	for name, want := range map[string]bool{
		"a.pdf": true, "A-b_c.1.PDF": true, "1/2/3/4/5/6/7/8.pdf": true, "x.csv": true, "x.txt": true, "x.zip": true, "x.xml": true,
		"x.png": true, "x.jpg": true, "x.jpeg": true,
		"": false, "a": false, ".pdf": false, "a.html": false, "a.svg": false, "a.pdf.exe": false, "a.pdf/": false, "/a.pdf": false,
		"a//b.pdf": false, "../a.pdf": false, "a/../b.pdf": false, "./a.pdf": false, "a/.b.pdf": false, `a\b.pdf`: false, "a b.pdf": false,
		"a.pdf\x00": false, "a.pdf\n": false, "é.pdf": false, "a%2Fb.pdf": false, "C:a.pdf": false, "a./b.pdf": false,
		"1/2/3/4/5/6/7/8/9.pdf": false, strings.Repeat("a", 124) + ".pdf": true, strings.Repeat("a", 125) + ".pdf": false,
	} {
		require.Equal(t, want, ValidName(name), "%q", name)
	}
}

// For any input, an accepted name is a clean path that stays below its folder.
func FuzzNames(f *testing.F) {
	for _, s := range []string{"a.pdf", "a/b.pdf", "../a.pdf", "..", "a/../../b.pdf", `..\a.pdf`, "/etc/passwd", "a\x00.pdf", "%2e%2e/a.pdf",
		"CON.pdf", "~/a.pdf"} {
		f.Add(s)
	}
	s, err := Open(context.Background(), Config{Data: f.TempDir()})
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, name string) {
		err := s.Put(t.Context(), "one", name, strings.NewReader(""))
		if !ValidName(name) {
			require.Equal(t, files.CodeName, code(err))
			return
		}
		require.True(t, filepath.IsLocal(name))
		require.Equal(t, name, filepath.ToSlash(filepath.Clean(name)))
		require.NotContains(t, name, "..\\")
		for segment := range strings.SplitSeq(name, "/") {
			require.NotEqual(t, byte('.'), segment[0])
		}
	})
}

func TestTypes(t *testing.T) {
	for _, c := range []struct {
		name, start, want string
	}{
		{"a.pdf", "%PDF-1.4", "application/pdf"}, {"a.pdf", "PK\x03\x04", ""}, {"a.pdf", "", ""},
		{"a.png", "\x89PNG\r\n\x1a\n\x00", "image/png"}, {"a.png", "%PDF-1.4", ""},
		{"a.jpg", "\xff\xd8\xff\xe0", "image/jpeg"}, {"a.JPEG", "\xff\xd8\xff\xe0", "image/jpeg"}, {"a.jpg", "GIF89a", ""},
		{"a.zip", "PK\x03\x04", "application/zip"}, {"a.zip", "PK\x05\x06", "application/zip"}, {"a.zip", "Rar!", ""},
		{"a.csv", "ean;kWh\r\n1;2\r\n", "text/csv"}, {"a.csv", "", "text/csv"}, {"a.csv", "a\x00b", ""}, {"a.csv", "  <html>", ""},
		{"a.csv", "%PDF-1.4", ""},
		{"a.txt", "\xef\xbb\xbfhoi", "text/plain"}, {"a.txt", "<!DOCTYPE HTML>", ""}, {"a.txt", "MZ\x90\x00\x03", ""},
		{"a.xml", `<?xml version="1.0"?>`, "application/xml"}, {"a.xml", "\xef\xbb\xbf<?xml", "application/xml"},
		{"a.xml", "<invoice>", "application/xml"},
		{"a.xml", "<html>", ""}, {"a.xml", "<script>", ""}, {"a.xml", "hoi", ""},
		{"a.html", "<html>", ""}, {"a.svg", "<svg>", ""},
	} {
		got, ok := typeOf(c.name, []byte(c.start))
		require.Equal(t, c.want, got, "%s %q", c.name, c.start)
		require.Equal(t, c.want != "", ok)
	}
}

type failing struct{ io.ReadSeeker }

func (failing) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func TestPutThatBreaksOffLeavesNothing(t *testing.T) {
	s, err := Open(t.Context(), Config{At: t.TempDir()})
	require.NoError(t, err)
	require.ErrorIs(t, s.Put(t.Context(), "one", "a.csv", failing{bytes.NewReader(nil)}), io.ErrUnexpectedEOF)
	_, err = s.Get(t.Context(), "one", "a.csv")
	require.Equal(t, files.CodeNotFound, code(err))
}
