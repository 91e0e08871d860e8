package imports

import (
	"bufio"
	"errors"
	"io"
	"slices"

	"github.com/wattle-portal/wattle/core/internal/labels/mapping"
)

// source returns the records of a file.
type source interface {
	Record() (Record, error)
	Offset() int64
}

// backwards returns the lines of a CSV file of any size from the last to the first. A first pass stores the offset of every 500th line (or
// of the next line after 2 MiB). A second pass reads the parts between these offsets, the last part first. Memory holds one part, and 16
// bytes for each part. The file cannot be read from its end, because only reading from the start shows whether a line end is inside quotes.
type backwards struct {
	in    io.ReaderAt
	size  int64
	head  *Reader // the reader that read the first line
	marks []mark
	end   int64 // offset of the end of the unread part
	queue []found
}

type mark struct {
	start int64
	line  int // line number
}

// found is a record or an error for a line that is not a record.
type found struct {
	record Record
	err    error
}

func newBackwards(in io.ReaderAt, size int64, comma rune, prepare func(columns []string) (*mapping.Lines, error)) *backwards {
	return &backwards{in: in, size: size, end: size, head: NewMappedReader(io.NewSectionReader(in, 0, size), comma, prepare)}
}

// Offset returns the number of bytes read from the end.
func (b *backwards) Offset() int64 { return b.size - b.end }

// Record does what Reader.Record does. Several records of one line are returned in the order of the mapping.
func (b *backwards) Record() (Record, error) {
	if b.marks == nil {
		if err := b.findMarks(); err != nil {
			return Record{}, err
		}
	}
	for len(b.queue) == 0 {
		if len(b.marks) == 0 {
			return Record{}, io.EOF
		}
		if err := b.readPart(); err != nil {
			return Record{}, err
		}
	}
	next := b.queue[0]
	b.queue = b.queue[1:]
	return next.record, next.err
}

// findMarks stores the offsets of lines.
func (b *backwards) findMarks() error {
	b.marks = []mark{}
	for since := 0; ; since++ {
		row, err := b.head.nextCSV()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if _, bad := errors.AsType[*BadRow](err); err != nil && !bad {
			return err
		}
		if len(b.marks) == 0 || since == BatchRows || row.start-b.marks[len(b.marks)-1].start >= BatchBytes {
			b.marks, since = append(b.marks, mark{row.start, row.number}), 0
		}
	}
}

// readPart reads the part between the last mark and the end of the unread part.
func (b *backwards) readPart() error {
	from := b.marks[len(b.marks)-1]
	r := &Reader{in: bufio.NewReader(io.NewSectionReader(b.in, from.start, b.end-from.start)), format: CSV, line: from.line - 1,
		lines: b.head.lines, mapped: b.head.mapped}
	r.keep = b.head.keep
	r.csv.comma, r.csv.columns, r.csv.reason = b.head.csv.comma, b.head.csv.columns, b.head.csv.reason
	var lines [][]found
	for {
		row, err := r.nextCSV()
		if errors.Is(err, io.EOF) {
			break
		}
		var line []found
		if _, bad := errors.AsType[*BadRow](err); bad {
			line = []found{{err: err}}
		} else if err != nil {
			return err
		} else {
			for _, record := range r.makeRecords(row) {
				line = append(line, found{record: record})
			}
		}
		lines = append(lines, line)
	}
	slices.Reverse(lines)
	b.queue = slices.Concat(lines...)
	b.marks, b.end = b.marks[:len(b.marks)-1], from.start
	return nil
}
