package imports

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/wattle-portal/wattle/core/internal/records/formats"
	"github.com/wattle-portal/wattle/core/internal/records/formats/energy"
	"github.com/wattle-portal/wattle/core/record"
)

// formatted returns the records of a file in a built-in format.
type formatted struct{ *formats.Source }

// Record does what Reader.Record does.
func (f formatted) Record() (Record, error) {
	r, err := f.Next()
	if bad, ok := errors.AsType[*energy.ParseError](err); ok {
		return Record{}, &BadRow{Line: bad.Line, Code: bad.Code, Text: bad.Text, Hint: bad.Hint}
	}
	return Record{Row: record.Row{Line: r.Line, Data: r.Data}, Line: r.Line, key: r.Key}, err
}

// openFormat opens a reader of a file in the format of the options.
func (o Options) openFormat(in *os.File) (source, error) {
	s, err := formats.Open(o.Format, in, o.Zone, o.Settings)
	if err != nil {
		return nil, fmt.Errorf("imports: the format %s: %w", o.Format, err)
	}
	return formatted{s}, nil
}

// fitsFormat returns an error when the first record of a file shows that the file has another format or unknown connections.
func (o Options) fitsFormat(path string) error {
	in, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("imports: %w", err)
	}
	defer func() { _ = in.Close() }() // the file is open only for reading
	from, err := o.openFormat(in)
	if err != nil {
		return err
	}
	_, err = from.Record()
	if _, bad := errors.AsType[*BadRow](err); bad || errors.Is(err, io.EOF) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("imports: %s: %w", path, err)
	}
	return nil
}
