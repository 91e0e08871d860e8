package usage

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"slices"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/usage/usageapi"
)

// Value stores an amount as an integer; without this method bun would store its JSON.
func (a Amount) Value() (driver.Value, error) { return int64(a), nil }

type connectionRow struct {
	bun.BaseModel `bun:"table:usage_connections,alias:c"`
	LabelKey      string `bun:",pk"`
	RelationID    string
	Connection
}

type readingRow struct {
	bun.BaseModel `bun:"table:usage_readings,alias:r"`
	LabelKey      string `bun:",pk"`
	storedReading
}

// dayKey identifies a day of a connection.
type dayKey struct {
	EANCode string    `bun:"ean_code,pk"`
	Day     value.Day `bun:",pk"`
}

// dayTotals is a day without its intervals, because charts read hundreds of days.
type dayTotals struct {
	bun.BaseModel `bun:"table:usage_days,alias:d"`
	Day           value.Day
	dayCounts
}

type dayCounts struct {
	Missing      int // intervals without a measurement
	Normal       *Amount
	Low          *Amount
	FeedinNormal *Amount
	FeedinLow    *Amount
	Gas          *Amount
}

func (d *dayCounts) registers() [registers]*Amount {
	return [registers]*Amount{d.Normal, d.Low, d.FeedinNormal, d.FeedinLow, d.Gas}
}

func (d *dayCounts) amounts() Amounts { return amountsOf(d.registers()) }

type dayRow struct {
	bun.BaseModel `bun:"table:usage_days,alias:d"`
	LabelKey      string `bun:",pk"`
	dayKey
	Seconds int
	dayCounts
	Intervals []byte
}

func (d *dayRow) profile() (Profile, error) { return unpack(d.Seconds, d.registers(), d.Intervals) }

func newDayRow(label string, key dayKey, p Profile) dayRow {
	t := p.totals()
	return dayRow{LabelKey: label, dayKey: key, Seconds: p.Seconds, Intervals: p.pack(), dayCounts: dayCounts{Missing: p.missingCount(),
		Normal: t[regNormal], Low: t[regLow], FeedinNormal: t[regFeedinNormal], FeedinLow: t[regFeedinLow], Gas: t[regGas]}}
}

// unpackDays returns the days with their intervals unpacked.
func unpackDays(rows []dayRow) ([]measuredDay, error) {
	out := make([]measuredDay, len(rows))
	for i, r := range rows {
		p, err := r.profile()
		if err != nil {
			return nil, fmt.Errorf("%w: %s %s", err, r.EANCode, r.Day)
		}
		out[i] = measuredDay{r.Day, p}
	}
	return out, nil
}

type consentRow struct {
	bun.BaseModel `bun:"table:usage_consents,alias:c"`
	LabelKey      string `bun:",pk"`
	ID            string `bun:",pk"`
	RelationID    string
	Subject       string
	decision
}

type retrievalRow struct {
	bun.BaseModel `bun:"table:usage_retrievals,alias:r"`
	LabelKey      string `bun:",pk"`
	job
}

// findConnections returns the connections of the call's relation.
func findConnections(ctx context.Context, db module.DB, rows module.Rows) ([]Connection, error) {
	var found []connectionRow
	if err := db.Find(ctx, rows, &found, "ORDER BY c.commodity, c.ean_code"); err != nil {
		return nil, err
	}
	out := make([]Connection, len(found))
	for i, r := range found {
		out[i] = r.Connection
	}
	return out, nil
}

// connectionsByEAN returns the label's connections with the given EAN codes, for imports and jobs.
func connectionsByEAN(ctx context.Context, db module.Querier, eans []string) (map[string]Connection, error) {
	var found []connectionRow
	if len(eans) == 0 {
		return nil, nil
	}
	if err := module.Label(ctx, "imports and jobs use connections of the whole label").Select(db, &found).Where("c.ean_code IN ?", bun.Tuple(eans)).
		Scan(ctx); err != nil {
		return nil, err
	}
	out := make(map[string]Connection, len(found))
	for _, r := range found {
		out[r.EANCode] = r.Connection
	}
	return out, nil
}

// Readings and days belong to an EAN code, not to a relation. Callers first find the connection among those of the relation, and query only
// the span in which the relation was supplied there. Therefore these queries are limited to the label only.

// findReadings returns the readings of a connection, oldest first. They include the reading on the day after the span, which ends the last
// day.
func findReadings(ctx context.Context, db module.DB, ean string, s span) ([]storedReading, error) {
	rows := module.Label(ctx, "readings have no relation; their connection belongs to the caller")
	var found []readingRow
	err := db.Find(ctx, rows, &found, "AND r.ean_code = ? AND r.day >= ? AND r.day <= ? ORDER BY r.day, r.meter_number",
		ean, s.from.String(), s.end().String())
	out := make([]storedReading, 0, len(found))
	for _, r := range found {
		if !s.inGap(r.Day) || !s.inGap(r.Day.AddDays(-1)) { // a reading on the first day of a gap ends the day before
			out = append(out, r.storedReading)
		}
	}
	return out, err
}

// findReadingsAround returns the readings of a connection from a day to another with the adjacent ones, in a transaction. New readings are
// validated against them.
func findReadingsAround(ctx context.Context, tx module.Tx, ean string, first, last value.Day) ([]storedReading, error) {
	var found []readingRow
	rows := module.Label(ctx, "readings have no relation; their connection was checked before")
	near := func(edge string) *bun.SelectQuery {
		return rows.Select(tx, (*readingRow)(nil)).ColumnExpr("? (r.day)", bun.Safe(edge)).
			Where("r.ean_code = ?", ean)
	}
	err := rows.Select(tx, &found).Where("r.ean_code = ?", ean).
		Where("r.day >= COALESCE((?), ?)", near("MAX").Where("r.day < ?", first), first).
		Where("r.day <= COALESCE((?), ?)", near("MIN").Where("r.day > ?", last), last).Scan(ctx)
	out := make([]storedReading, len(found))
	for i, r := range found {
		out[i] = r.storedReading
	}
	return out, err
}

// findDayTotals returns the days of a connection without their intervals, oldest first.
func findDayTotals(ctx context.Context, db module.DB, ean string, s span) (found []dayTotals, err error) {
	rows := module.Label(ctx, "days have no relation; their connection belongs to the caller")
	err = db.Find(ctx, rows, &found, "AND d.ean_code = ? AND d.day >= ? AND d.day < ? ORDER BY d.day", ean,
		s.from.String(), s.end().String())
	return slices.DeleteFunc(found, func(d dayTotals) bool { return s.inGap(d.Day) }), err
}

// findDays returns the days of a connection, oldest first.
func findDays(ctx context.Context, db module.DB, ean string, s span) (found []dayRow, err error) {
	rows := module.Label(ctx, "days have no relation; their connection belongs to the caller")
	err = db.Find(ctx, rows, &found, "AND d.ean_code = ? AND d.day >= ? AND d.day < ? ORDER BY d.day", ean,
		s.from.String(), s.end().String())
	return slices.DeleteFunc(found, func(d dayRow) bool { return s.inGap(d.Day) }), err
}

// findNewestDays returns the last days of a connection, newest first.
func findNewestDays(ctx context.Context, db module.DB, ean string, s span) (found []dayRow, err error) {
	rows := module.Label(ctx, "days have no relation; their connection belongs to the caller")
	err = db.Find(ctx, rows, &found, "AND d.ean_code = ? AND d.day >= ? AND d.day < ? ORDER BY d.day DESC LIMIT 8", ean,
		s.from.String(), s.end().String())
	return slices.DeleteFunc(found, func(d dayRow) bool { return s.inGap(d.Day) }), err
}

// mergeDays merges measurements into the stored days. It returns the keys of days that are stored in shorter intervals and stay unchanged.
func mergeDays(ctx context.Context, tx module.Tx, incoming map[dayKey]Profile) (coarser map[dayKey]bool, err error) {
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
	var found []dayRow
	if err := rows.Select(tx, &found).Where("d.ean_code IN ?", bun.Tuple(eans)).
		Where("d.day IN ?", bun.Tuple(days)).Scan(ctx); err != nil {
		return nil, err
	}
	known := make(map[dayKey]Profile, len(found))
	for _, r := range found {
		if known[r.dayKey], err = r.profile(); err != nil {
			return nil, fmt.Errorf("%w: %s %s", err, r.EANCode, r.Day)
		}
	}
	coarser = map[dayKey]bool{}
	var changed []dayRow
	for k, p := range incoming {
		if old, ok := known[k]; ok {
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
		changed = append(changed, newDayRow(rows.Key(), k, p))
	}
	if len(changed) == 0 {
		return coarser, nil
	}
	slices.SortFunc(changed, func(a, b dayRow) int { // in the order of the primary key
		if a.EANCode != b.EANCode {
			return slices.Compare([]byte(a.EANCode), []byte(b.EANCode))
		}
		return a.Day.DaysSince(b.Day)
	})
	return coarser, upsert(ctx, tx, rows, &changed, "label_key, ean_code, day",
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
		month := Monthly.begin(d)
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

func (p monthPartition) name() string {
	return fmt.Sprintf("%s_%04d_%02d", p.parent, p.month.Year, int(p.month.Month))
}

// upsert writes rows by a natural key; each key may occur once.
func upsert(ctx context.Context, tx module.Tx, rows module.Rows, batch any, key string, columns ...string) error {
	insert := rows.Insert(tx, batch).On("CONFLICT (" + key + ") DO UPDATE")
	for _, column := range columns {
		insert.Set("? = EXCLUDED.?", bun.Ident(column), bun.Ident(column))
	}
	_, err := insert.Exec(ctx)
	return err
}

// latestDecisions returns the latest decisions of a relation by EAN code.
func latestDecisions(ctx context.Context, db module.Querier, rows module.Rows, relation string) (map[string]decision, error) {
	var found []consentRow
	if err := rows.Select(db, &found).Where("c.relation_id = ?", relation).
		OrderExpr("c.at, c.id").Scan(ctx); err != nil {
		return nil, err
	}
	out := map[string]decision{}
	for _, r := range found {
		out[r.EANCode] = r.decision
	}
	return out, nil
}

// insertDecision stores a decision and publishes its event.
func insertDecision(ctx context.Context, tx module.Tx, rows module.Rows, d decision) error {
	subject := module.ScopeOf(ctx).Subject
	row := consentRow{LabelKey: rows.Key(), ID: value.NewID(), RelationID: rows.Relation(), Subject: subject, decision: d}
	if _, err := rows.Insert(tx, &row).Exec(ctx); err != nil {
		return err
	}
	kind := usageapi.EventConsentRevoked
	if d.Given {
		kind = usageapi.EventConsentGiven
	}
	return module.Publish(ctx, tx, kind, d.EANCode, usageapi.ConsentChanged{Relation: rows.Relation(), Account: subject, EANCode: d.EANCode,
		TextVersion: d.TextVersion})
}

// latestJob returns the last retrieval of an agreement, or nil. With done, it returns the last successful one.
func latestJob(ctx context.Context, db module.Querier, rows module.Rows, relation, agreement string, done bool) (*job, error) {
	row := new(retrievalRow)
	q := rows.Select(db, row).Where("r.relation_id = ? AND r.agreement = ?", relation, agreement)
	if done {
		q.Where("r.state = ?", Done)
	}
	err := q.OrderExpr("r.number DESC").Limit(1).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return &row.job, err
}

// insertJob stores a new retrieval; ok is false if a concurrent call has stored one.
func insertJob(ctx context.Context, tx module.Tx, j job) (ok bool, err error) {
	rows := module.Label(ctx, "a retrieval is stored by its relation, also from a job")
	res, err := rows.Insert(tx, &retrievalRow{LabelKey: rows.Key(), job: j}).On("CONFLICT DO NOTHING").Exec(ctx)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n > 0, err
}

// updateJob stores the progress of a retrieval; ok is false unless the stored job is active and has the given number of completed steps.
func updateJob(ctx context.Context, tx module.Tx, j job, done int) (ok bool, err error) {
	rows := module.Label(ctx, "a job continues the retrieval of any relation")
	res, err := rows.Update(tx, &retrievalRow{LabelKey: rows.Key(), job: j}).
		Column("state", "done", "tries", "reach_day", "code", "touched_at", "finished_at").WherePK().
		Where("done = ? AND state IN ?", done, bun.Tuple([]State{Queued, Running})).Exec(ctx)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n > 0, err
}
