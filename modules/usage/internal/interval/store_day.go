package interval

import (
	"context"
	"fmt"
	"slices"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
)

// totalsRow is a stored day without its intervals.
type totalsRow struct {
	bun.BaseModel `bun:"table:usage_days,alias:d"`
	Totals
}

// Row is a stored day with its intervals.
type Row struct {
	bun.BaseModel `bun:"table:usage_days,alias:d"`
	LabelKey      string `bun:",pk"`
	Key
	Seconds int
	Counts
	Intervals []byte
}

// profile unpacks the intervals. It returns errPacked for bytes that Profile.pack did not create.
func (d *Row) profile() (Profile, error) { return unpack(d.Seconds, d.registers(), d.Intervals) }

// TotalsOf returns the days in rows without their intervals.
func TotalsOf(rows []Row) []Totals {
	out := make([]Totals, len(rows))
	for i, r := range rows {
		out[i] = Totals{r.Day, r.Counts}
	}
	return out
}

// newRow returns the row of a day.
func newRow(label string, key Key, p Profile) Row {
	return Row{LabelKey: label, Key: key, Seconds: p.Seconds, Intervals: p.pack(), Counts: p.Counts()}
}

// Profiles returns the days with their intervals unpacked.
func Profiles(rows []Row) ([]Measured, error) {
	out := make([]Measured, len(rows))
	for i, r := range rows {
		p, err := r.profile()
		if err != nil {
			return nil, fmt.Errorf("%w: %s %s", err, r.EANCode, r.Day)
		}
		out[i] = Measured{r.Day, p}
	}
	return out, nil
}

// Days belong to an EAN code, not to a relation. Callers must first find the connection among those of the relation, and query only the
// span in which the relation was supplied there. Therefore these queries are limited only to the label.

// FindTotals returns the days of a connection without their intervals, oldest first.
func FindTotals(ctx context.Context, db module.DB, ean string, s meter.Span) ([]Totals, error) {
	rows := module.Label(ctx, "days have no relation; their connection belongs to the caller")
	var found []totalsRow
	err := db.Find(ctx, rows, &found, "AND d.ean_code = ? AND d.day >= ? AND d.day < ? ORDER BY d.day", ean,
		s.From.String(), s.End().String())
	out := make([]Totals, 0, len(found))
	for _, r := range found {
		if !s.IsInGap(r.Day) {
			out = append(out, r.Totals)
		}
	}
	return out, err
}

// Find returns the days of a connection with their intervals, oldest first.
func Find(ctx context.Context, db module.DB, ean string, s meter.Span) ([]Measured, error) {
	rows := module.Label(ctx, "days have no relation; their connection belongs to the caller")
	var found []Row
	err := db.Find(ctx, rows, &found, "AND d.ean_code = ? AND d.day >= ? AND d.day < ? ORDER BY d.day", ean,
		s.From.String(), s.End().String())
	if err != nil {
		return nil, err
	}
	return Profiles(slices.DeleteFunc(found, func(d Row) bool { return s.IsInGap(d.Day) }))
}

// FindNewest returns the last days of a connection, newest first.
func FindNewest(ctx context.Context, db module.DB, ean string, s meter.Span) (found []Row, err error) {
	rows := module.Label(ctx, "days have no relation; their connection belongs to the caller")
	err = db.Find(ctx, rows, &found, "AND d.ean_code = ? AND d.day >= ? AND d.day < ? ORDER BY d.day DESC LIMIT 8", ean,
		s.From.String(), s.End().String())
	return slices.DeleteFunc(found, func(d Row) bool { return s.IsInGap(d.Day) }), err
}

// Merge merges measurements into the stored days. It returns the keys of days that are stored in shorter intervals and stay unchanged.
func Merge(ctx context.Context, tx module.Tx, incoming map[Key]Profile) (coarser map[Key]bool, err error) {
	rows := module.Label(ctx, "days have no relation; imports and jobs use connections of the whole label")
	if len(incoming) == 0 {
		return nil, nil
	}
	var eans []string
	var days []value.Day
	for k := range incoming {
		eans, days = append(eans, k.EANCode), append(days, k.Day)
	}
	slices.Sort(eans)
	slices.SortFunc(days, func(a, b value.Day) int { return a.DaysSince(b) })
	eans, days = slices.Compact(eans), slices.Compact(days)
	if err := prepareDays(ctx, tx, rows, days); err != nil {
		return nil, err
	}
	var found []Row
	if err := rows.Select(tx, &found).Where("d.ean_code IN ?", bun.Tuple(eans)).
		Where("d.day IN ?", bun.Tuple(days)).Scan(ctx); err != nil {
		return nil, err
	}
	existing := make(map[Key]Profile, len(found))
	for _, r := range found {
		if existing[r.Key], err = r.profile(); err != nil {
			return nil, fmt.Errorf("%w: %s %s", err, r.EANCode, r.Day)
		}
	}
	coarser = map[Key]bool{}
	var changed []Row
	for k, p := range incoming {
		if old, ok := existing[k]; ok {
			merged, ok := merge(old, p)
			if !ok {
				coarser[k] = true
				continue
			}
			if merged.equal(old) {
				continue
			}
			p = merged
		}
		changed = append(changed, newRow(rows.Key(), k, p))
	}
	if len(changed) == 0 {
		return coarser, nil
	}
	slices.SortFunc(changed, func(a, b Row) int { // in the order of the primary key
		if a.EANCode != b.EANCode {
			return slices.Compare([]byte(a.EANCode), []byte(b.EANCode))
		}
		return a.Day.DaysSince(b.Day)
	})
	return coarser, meter.Upsert(ctx, tx, rows, &changed, "label_key, ean_code, day",
		"seconds", "missing", "normal", "low", "feedin_normal", "feedin_low", "gas", "intervals")
}

// prepareDays locks the days of the label against concurrent imports and creates missing monthly partitions. SQLite has one writer and no
// partitions.
func prepareDays(ctx context.Context, tx module.Tx, rows module.Rows, days []value.Day) error {
	if !tx.Postgres() {
		return nil
	}
	if err := tx.Lock(ctx, "days"); err != nil {
		return err
	}
	// The table itself, or its partitions by label_key (docs/partitioning.md).
	var parents []string
	if err := rows.Raw(tx, `SELECT c.relname FROM pg_partitioned_table p JOIN pg_class c ON c.oid = p.partrelid
		WHERE p.partstrat = 'r' AND (c.oid = 'usage_days'::regclass OR c.oid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = 'usage_days'::regclass))
		ORDER BY c.relname`).Scan(ctx, &parents); err != nil {
		return err
	}
	var wanted []monthPartition
	var names []string
	for _, d := range days {
		month := meter.Monthly.Begin(d)
		for _, parent := range parents {
			p := monthPartition{parent, month}
			if name := p.name(); !slices.Contains(names, name) {
				wanted, names = append(wanted, p), append(names, name)
			}
		}
	}
	var existing []string
	if err := rows.Raw(tx, "SELECT c.relname FROM pg_class c WHERE c.relnamespace = current_schema()::regnamespace AND c.relname IN ?1",
		bun.Tuple(names)).Scan(ctx, &existing); err != nil {
		return err
	}
	for i, p := range wanted {
		if slices.Contains(existing, names[i]) {
			continue
		}
		// a transaction of another label may create the same partition
		if _, err := rows.Raw(tx, "SELECT pg_advisory_xact_lock(hashtext('usage_days partition'))").Exec(ctx); err != nil {
			return err
		}
		if _, err := rows.Raw(tx, "CREATE TABLE IF NOT EXISTS ?1 PARTITION OF ?2 FOR VALUES FROM (?3) TO (?4)",
			bun.Ident(names[i]), bun.Ident(p.parent), p.month, p.month.AddMonths(1)).Exec(ctx); err != nil {
			return err
		}
	}
	return nil
}

// monthPartition is the partition of a month.
type monthPartition struct {
	parent string // usage_days, or a partition of it by label_key
	month  value.Day
}

// name returns the name of the partition.
func (p monthPartition) name() string {
	return fmt.Sprintf("%s_%04d_%02d", p.parent, p.month.Year, int(p.month.Month))
}
