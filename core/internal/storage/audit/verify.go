package audit

import (
	"context"
	"fmt"
)

// Finding is a place where the log of a label was manipulated.
type Finding struct {
	Label   string
	Seq     int64
	Problem string
}

// String returns the flaw as one line.
func (f Finding) String() string {
	return fmt.Sprintf("label %s, entry %d: %s", f.Label, f.Seq, f.Problem)
}

const verifyBatch = 1000

// Verify reads the log of a label, or of all labels when label is empty, from the first entry, and returns the changed, missing and
// inserted entries. entries is the number of entries read.
func (l *Log) Verify(ctx context.Context, label string) (entries int64, findings []Finding, err error) {
	var heads []head
	q := l.Store.Read().NewSelect().Model(&heads).OrderExpr("label_key")
	if label != "" {
		q = q.Where("label_key = ?", label)
	}
	if err := q.Scan(ctx); err != nil {
		return 0, nil, fmt.Errorf("audit: %w", err)
	}
	for _, h := range heads {
		n, found, err := l.verify(ctx, h)
		entries += n
		findings = append(findings, found...)
		if err != nil {
			return entries, findings, fmt.Errorf("audit: %w", err)
		}
	}
	return entries, findings, nil
}

// verify reads up to the given head, because a portal may be writing new entries.
func (l *Log) verify(ctx context.Context, h head) (entries int64, findings []Finding, err error) {
	last := Entry{}
	for {
		var rows []Entry
		if err := l.Store.Read().NewSelect().Model(&rows).Where("label_key = ? AND seq > ? AND seq <= ?", h.Label, last.Seq, h.Seq).
			OrderExpr("seq").Limit(verifyBatch).Scan(ctx); err != nil {
			return entries, findings, err
		}
		for _, e := range rows {
			entries++
			switch {
			case e.Seq != last.Seq+1:
				findings = append(findings, Finding{h.Label, last.Seq + 1, "is missing"})
			case e.Previous != last.Hash:
				findings = append(findings, Finding{h.Label, e.Seq, "does not follow the one before"})
			}
			if e.sum() != e.Hash {
				findings = append(findings, Finding{h.Label, e.Seq, "was changed"})
			}
			last = e
		}
		if len(rows) < verifyBatch {
			break
		}
	}
	if last.Seq != h.Seq || last.Hash != h.Hash {
		findings = append(findings, Finding{h.Label, h.Seq, "is not the last entry"})
	}
	return entries, findings, nil
}
