package imports

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/wattle-portal/wattle/core/internal/labels/mapping"
)

// fits returns an error when the mapping does not fit the first line of a file.
func (o Options) fits(path string) error {
	if formatOf(path) == NDJSON && strings.Contains(strings.ToLower(filepath.Ext(path)), "json") {
		return fmt.Errorf("imports: %s: a mapping is for CSV files", path)
	}
	if err := o.Mapping.CheckSettings(o.Settings); err != nil {
		return fmt.Errorf("imports: the mapping: %w", err)
	}
	if k, known := o.Kinds[o.Mapping.Kind]; known {
		for _, f := range o.Mapping.CheckFields(k) {
			return fmt.Errorf("imports: the mapping: %s: %s", strings.Join(f.Path, "."), f.Message)
		}
	}
	in, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("imports: %w", err)
	}
	defer func() { _ = in.Close() }() // the file is open only for reading
	r := NewMappedReader(in, o.comma(), o.prepare)
	if err := r.header(); err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("imports: %s: %w", path, err)
	}
	return nil
}

// comma returns the field separator of the mapping; 0: it is detected from the first line of the file.
func (o Options) comma() rune {
	for _, c := range o.Mapping.Comma {
		return c
	}
	return 0
}

func (o Options) prepare(columns []string) (*mapping.Lines, error) {
	lines, err := o.Mapping.For(columns, o.Settings, o.Zone)
	if err != nil {
		return nil, fmt.Errorf("the mapping: %w", err)
	}
	return lines, nil
}

// source opens a reader of a file.
func (o Options) source(in *os.File, size int64) (source, error) {
	switch {
	case o.Format != "":
		return o.openFormat(in)
	case o.Mapping != nil && o.Mapping.Order == mapping.NewestFirst:
		b := newBackwards(in, size, o.comma(), o.prepare)
		b.head.keep = o.Rejects != ""
		return b, nil
	}
	r := NewReader(in, formatOf(in.Name()))
	if o.Mapping != nil {
		r = NewMappedReader(in, o.comma(), o.prepare)
	}
	r.keep = o.Rejects != ""
	return r, nil
}
