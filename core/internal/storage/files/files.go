// Package files is the file store: the invoices, tariff sheets and reports that the back office uploads and customers download. It is a
// folder, or a bucket with the S3 protocol. A file has a name within its label. Every name from outside is checked before it is used in a
// path.
package files

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"time"

	"github.com/wattle-portal/wattle/core/files"
	"github.com/wattle-portal/wattle/core/problem"
)

// Store stores the files of all labels.
type Store struct{ backend }

// backend stores bytes under a label and a checked name.
type backend interface {
	// get opens a file. It returns errNone when there is no such file.
	get(ctx context.Context, label, name string) (*File, error)
	// put writes or replaces a file atomically.
	put(ctx context.Context, label, name string, body io.ReadSeeker) error
	// list calls each for every file of all labels, ordered by name.
	list(ctx context.Context, each func(Entry) error) error
	close() error
}

var errNone = errors.New("files: no such file")

// File is an open file.
type File struct {
	io.ReadCloser
	Type     string    // media type
	Size     int64     // size in bytes; -1 when unknown
	Modified time.Time // zero when unknown
}

// Config contains the location of the files.
type Config struct {
	// At is a folder, or s3://bucket/prefix?region=…&endpoint=…&path-style=true. Empty: the folder files in Data.
	At   string
	Data string
	// Secrets returns AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (and AWS_SESSION_TOKEN); without them the default AWS chain applies.
	Secrets func(name string) string
}

// Open opens the store. It does not connect to a bucket yet.
func Open(ctx context.Context, c Config) (*Store, error) {
	var b backend
	var err error
	switch {
	case strings.HasPrefix(c.At, "s3://"):
		b, err = openBucket(ctx, c)
	case c.At != "":
		b, err = openFolder(c.At)
	default:
		b, err = openFolder(filepath.Join(c.Data, "files"))
	}
	if err != nil {
		return nil, fmt.Errorf("files: %w", err)
	}
	return &Store{b}, nil
}

// Close closes the store.
func (s *Store) Close() error { return s.close() }

// Get opens a file of a label. It returns the problems 400 file_name_invalid, 404 file_not_found, and 409 file_type_refused when the
// first bytes do not match the extension.
func (s *Store) Get(ctx context.Context, label, name string) (*File, error) {
	if !ValidName(name) {
		return nil, problem.Fail(http.StatusBadRequest, files.CodeName)
	}
	f, err := s.get(ctx, label, name)
	if errors.Is(err, errNone) {
		return nil, problem.Fail(http.StatusNotFound, files.CodeNotFound)
	}
	if err != nil {
		return nil, fmt.Errorf("files: %w", err)
	}
	head := bufio.NewReaderSize(f.ReadCloser, sniffed)
	start, err := head.Peek(sniffed)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, errors.Join(fmt.Errorf("files: %w", err), f.Close())
	}
	kind, ok := typeOf(name, start)
	if !ok {
		return nil, errors.Join(problem.Fail(http.StatusConflict, files.CodeType), f.Close())
	}
	f.Type, f.ReadCloser = kind, peeked{head, f.ReadCloser}
	return f, nil
}

// peeked is a file whose first bytes have been read to check its type.
type peeked struct {
	io.Reader
	io.Closer
}

// Put writes or replaces a file of a label. It returns the problems 400 file_name_invalid and 409 file_type_refused.
func (s *Store) Put(ctx context.Context, label, name string, body io.ReadSeeker) error {
	if !ValidName(name) {
		return problem.Fail(http.StatusBadRequest, files.CodeName)
	}
	var start bytes.Buffer
	if _, err := io.CopyN(&start, body, sniffed); err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("files: %w", err)
	}
	if _, ok := typeOf(name, start.Bytes()); !ok {
		return problem.Fail(http.StatusConflict, files.CodeType)
	}
	if _, err := body.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("files: %w", err)
	}
	if err := s.put(ctx, label, name, body); err != nil {
		return fmt.Errorf("files: %w", err)
	}
	return nil
}
