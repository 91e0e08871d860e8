package billing

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/pgdialect"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
)

// invoiceRow is a stored invoice.
type invoiceRow struct {
	bun.BaseModel `bun:"table:billing_invoices,alias:i"`
	LabelKey      string `bun:",pk"`
	InvoiceID     string `bun:",pk"`
	RelationID    string
	Agreement     string
	DueDate       value.Day
	Position      int64
	Amount        value.Cents
	Balance       value.Cents
	File          string
	Document      string
}

// invoiceDocument contains the columns of an invoice for lists.
type invoiceDocument struct {
	bun.BaseModel `bun:"table:billing_invoices,alias:i"`
	Position      int64
	Document      string
}

// invoiceFile is the name of an invoice's file in the file store.
type invoiceFile struct {
	bun.BaseModel `bun:"table:billing_invoices,alias:i"`
	InvoiceID     string
	File          string
}

// yearRow contains the totals of the invoices of a year. An import updates it in the transaction that stores the invoices.
type yearRow struct {
	bun.BaseModel `bun:"table:billing_invoice_years,alias:y"`
	Year          int
	Count         int
	Amount        value.Cents
	Open          value.Cents
}

// invoicesPage returns a page of an agreement's invoices as a JSON array, latest due date first, and their total number. Each invoice has a
// position within its agreement, so that the index finds any page directly.
func invoicesPage(ctx context.Context, db module.DB, rows module.Rows, agreement string, skip, limit int) (page []byte, total int,
	err error) {
	var found []invoiceDocument
	err = db.Find(ctx, rows, &found, "AND i.agreement = ? AND i.position <= (SELECT max(p.position) FROM billing_invoices AS p "+
		"WHERE p.label_key = ? AND p.relation_id = ? AND p.agreement = ?) - ? ORDER BY i.position DESC LIMIT ?",
		agreement, rows.Key(), rows.Relation(), agreement, skip, limit)
	if err != nil {
		return nil, 0, err
	}
	if len(found) > 0 {
		return jsonArray(found), int(found[0].Position) + skip, nil
	}
	years, err := findYears(ctx, db, rows, agreement) // a page after the last one, or no invoices
	for _, y := range years {
		total += y.Count
	}
	return []byte("[]"), total, err
}

// jsonArray joins documents into a JSON array.
func jsonArray(list []invoiceDocument) []byte {
	size := 2
	for _, i := range list {
		size += len(i.Document) + 1
	}
	out := append(make([]byte, 0, size), '[')
	for n, i := range list {
		if n > 0 {
			out = append(out, ',')
		}
		out = append(out, i.Document...)
	}
	return append(out, ']')
}

// newestInvoices returns the newest invoices of an agreement, at least count if it has that many. It includes all invoices of the last
// one's year, so that a run of equal term amounts is complete (9-invoices-runs).
func newestInvoices(ctx context.Context, db module.DB, rows module.Rows, agreement string, count int) (out []Invoice, err error) {
	const reserve = 14 // with this many extra invoices, a page contains the whole year for nearly all agreements
	for limit := count + reserve; ; limit *= 4 {
		page, total, err := invoicesPage(ctx, db, rows, agreement, 0, limit)
		if err != nil {
			return nil, err
		}
		out = nil
		if err := json.Unmarshal(page, &out); err != nil {
			return nil, fmt.Errorf("billing: document of an invoice: %w", err)
		}
		for i := count; i < len(out); i++ {
			if out[i].DueDate.Year != out[count-1].DueDate.Year {
				return out[:i], nil
			}
		}
		if len(out) == total {
			return out, nil
		}
	}
}

// latestInvoices returns the invoices of all agreements with the latest due dates, as a JSON array.
func latestInvoices(ctx context.Context, db module.DB, rows module.Rows, limit int) ([]byte, error) {
	var found []invoiceDocument
	err := db.Find(ctx, rows, &found, "ORDER BY i.due_date DESC, i.invoice_id DESC LIMIT ?", limit)
	return jsonArray(found), err
}

// invoicesWithBalance returns the invoices of all agreements with a balance above zero, oldest due date first. An index contains only
// these.
func invoicesWithBalance(ctx context.Context, db module.DB, rows module.Rows) (out []Invoice, err error) {
	var found []invoiceDocument
	if err := db.Find(ctx, rows, &found, "AND i.balance > 0 ORDER BY i.due_date, i.invoice_id"); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(jsonArray(found), &out); err != nil {
		return nil, fmt.Errorf("billing: document of an invoice: %w", err)
	}
	return out, nil
}

// findYears returns the totals of an agreement, newest year first. It returns ErrNotFound for an unknown agreement.
func findYears(ctx context.Context, db module.DB, rows module.Rows, agreement string) ([]Year, error) {
	var found []yearRow
	if err := db.Find(ctx, rows, &found, "AND y.agreement = ? ORDER BY y.year DESC", agreement); err != nil {
		return nil, err
	}
	out := make([]Year, len(found))
	for i, y := range found {
		out[i] = Year{y.Year, y.Count, y.Amount, y.Open}
	}
	if len(out) == 0 {
		return out, requireAgreement(ctx, db, rows, agreement)
	}
	return out, nil
}

// billedByMonth returns the totals of an agreement by month of the due date, oldest first. Months without an invoice are left out.
func billedByMonth(ctx context.Context, db module.DB, rows module.Rows, agreement string, since value.Day) ([]Month, error) {
	out := []Month{}
	err := rows.Select(db, (*invoiceRow)(nil)).
		ColumnExpr("substr(due_date, 1, 7) AS month, CAST(sum(amount) AS bigint) AS amount").
		Where("agreement = ? AND due_date >= ?", agreement, since).GroupExpr("1").OrderExpr("1").Scan(ctx, &out)
	if err == nil && len(out) == 0 {
		err = requireAgreement(ctx, db, rows, agreement)
	}
	return out, err
}

// findFilesOfYear returns the files of a year's invoices, oldest first.
func findFilesOfYear(ctx context.Context, db module.DB, rows module.Rows, agreement string, year int) (found []invoiceFile, err error) {
	err = db.Find(ctx, rows, &found, "AND i.agreement = ? AND i.due_date >= ? AND i.due_date < ? ORDER BY i.due_date, i.invoice_id",
		agreement, firstDay(year), firstDay(year+1))
	return found, err
}

// findFile returns the file of an invoice.
func findFile(ctx context.Context, db module.DB, rows module.Rows, id string) (string, error) {
	var found invoiceFile
	err := db.Find(ctx, rows, &found, "AND i.invoice_id = ?", id)
	if errors.Is(err, sql.ErrNoRows) {
		return "", problem.ErrNotFound
	}
	return found.File, err
}

func firstDay(year int) string { return value.Day{Year: year, Month: 1, Day: 1}.String() }

// The statements below make SQLite start with the batch instead of scanning the whole label (docs/decisions/0014): CROSS JOIN and LEFT JOIN
// keep the order of tables, IN uses the index. PostgreSQL, which has no statistics for a table that is being filled, would join the batch
// with the whole label; a subquery for each row, such as LATERAL with LIMIT, uses the index (docs/decisions/0057).

// storeInvoices writes a batch, in which each invoice may occur once, and updates positions and year totals in the same transaction.
func storeInvoices(ctx context.Context, tx module.Tx, batch []invoiceRow) error {
	if err := tx.Lock(ctx, "invoices"); err != nil { // one import per label at a time computes positions
		return err
	}
	before, err := invoicesBefore(ctx, tx, batch)
	if err != nil {
		return err
	}
	moved, years := diffBatch(before, batch)
	newest, err := newestOf(ctx, tx, moved)
	if err != nil {
		return err
	}
	appendInvoices(before, batch, newest, moved)
	if err := writeInvoices(ctx, tx, before, batch); err != nil {
		return err
	}
	if err := renumber(ctx, tx, moved); err != nil {
		return err
	}
	return updateYearTotals(ctx, tx, years)
}

// writeInvoices inserts the invoices of a batch, or replaces the stored ones, which are in before.
func writeInvoices(ctx context.Context, tx module.Tx, before, batch []invoiceRow) error {
	if tx.Postgres() {
		stored := make(map[string]bool, len(before))
		for _, old := range before {
			stored[old.InvoiceID] = true
		}
		var added, replaced []invoiceRow
		for _, i := range batch {
			if stored[i.InvoiceID] {
				replaced = append(replaced, i)
			} else {
				added = append(added, i)
			}
		}
		if err := addInvoices(ctx, tx, added); err != nil {
			return err
		}
		batch = replaced
	}
	if len(batch) == 0 {
		return nil
	}
	insert := module.Label(ctx, "an import contains invoices of the whole label").Insert(tx,
		&batch).On("CONFLICT (label_key, invoice_id) DO UPDATE")
	for _, column := range []string{"relation_id", "agreement", "due_date", "amount", "balance", "file", "document"} { // without position
		insert.Set("? = EXCLUDED.?", bun.Ident(column), bun.Ident(column))
	}
	_, err := insert.Exec(ctx)
	return err
}

// addInvoices inserts invoices that are not stored yet, on PostgreSQL: one array per column costs a third less than an upsert of a list of
// rows. The lock in storeInvoices prevents concurrent imports from storing the same invoices. An array drops NUL bytes, but there are none:
// ids and files match patterns, and JSON escapes them.
func addInvoices(ctx context.Context, tx module.Tx, added []invoiceRow) error {
	if len(added) == 0 {
		return nil
	}
	text := func(of func(*invoiceRow) string) any { return pgdialect.Array(column(added, of)) }
	number := func(of func(*invoiceRow) int64) any { return pgdialect.Array(column(added, of)) }
	all := module.Label(ctx, "an import contains invoices of the whole label")
	_, err := all.Raw(tx, `INSERT INTO billing_invoices (label_key, invoice_id, relation_id, agreement, due_date, position, amount, balance, file, document)
		SELECT ?, * FROM unnest(?::text[], ?::text[], ?::text[], ?::text[], ?::bigint[], ?::bigint[], ?::bigint[], ?::text[], ?::text[])`,
		text(func(i *invoiceRow) string { return i.InvoiceID }), text(func(i *invoiceRow) string { return i.RelationID }),
		text(func(i *invoiceRow) string { return i.Agreement }), text(func(i *invoiceRow) string { return i.DueDate.String() }),
		number(func(i *invoiceRow) int64 { return i.Position }), number(func(i *invoiceRow) int64 { return int64(i.Amount) }),
		number(func(i *invoiceRow) int64 { return int64(i.Balance) }),
		text(func(i *invoiceRow) string { return i.File }), text(func(i *invoiceRow) string { return i.Document })).Exec(ctx)
	return err
}

// column returns one value of each row.
func column[R, V any](rows []R, of func(*R) V) []V {
	out := make([]V, len(rows))
	for i := range rows {
		out[i] = of(&rows[i])
	}
	return out
}

// invoicesBefore returns the stored invoices that a batch will replace.
func invoicesBefore(ctx context.Context, tx module.Tx, batch []invoiceRow) (before []invoiceRow, err error) {
	ids := make([]tuple, len(batch))
	for i, row := range batch {
		ids[i] = tuple{row.InvoiceID}
	}
	stored := `billing_invoices AS i WHERE i.label_key = ?0 AND i.invoice_id = b.invoice_id`
	if tx.Postgres() {
		stored = `LATERAL (SELECT * FROM ` + stored + ` LIMIT 1) AS i`
	}
	all := module.Label(ctx, "an import contains invoices of the whole label")
	err = all.Raw(tx, `WITH batch (invoice_id) AS (VALUES ?1) SELECT i.invoice_id, i.relation_id, i.agreement, i.due_date
		FROM batch AS b CROSS JOIN `+stored, valuesList(ids)).Scan(ctx, &before)
	return before, err
}

// renumberings contains, for each agreement, the due date from which positions change.
type renumberings map[agreementKey]value.Day

func (m renumberings) add(k agreementKey, from value.Day) {
	if since, ok := m[k]; !ok || from.Before(since) {
		m[k] = from
	}
}

type yearKey struct {
	agreementKey
	year int
}

// diffBatch compares a batch with the stored invoices. It returns the positions to recompute and the years to recount; true means that an
// invoice was moved out of the year. An invoice whose due date is unchanged changes no position.
func diffBatch(before, batch []invoiceRow) (renumberings, map[yearKey]bool) {
	moved, years := renumberings{}, map[yearKey]bool{}
	stored := make(map[string]*invoiceRow, len(before))
	for i := range before {
		stored[before[i].InvoiceID] = &before[i]
	}
	for i := range batch {
		k, due := agreementKey{batch[i].RelationID, batch[i].Agreement}, batch[i].DueDate
		if y := (yearKey{k, due.Year}); !years[y] {
			years[y] = false
		}
		old := stored[batch[i].InvoiceID]
		if old == nil {
			moved.add(k, due)
			continue
		}
		if oldKey := (agreementKey{old.RelationID, old.Agreement}); oldKey != k || old.DueDate != due {
			moved.add(oldKey, old.DueDate)
			moved.add(k, due)
			years[yearKey{oldKey, old.DueDate.Year}] = true
		}
	}
	return moved, years
}

// newestInvoice is the position and the due date of the newest invoice of an agreement.
type newestInvoice struct {
	position int64
	due      string
}

// newestRow is the newest invoice of an agreement as a query returns it: position and due date, or nothing.
type newestRow struct{ RelationID, Agreement, Place string }

// newestOf returns the newest stored invoices of agreements; those without invoices are left out.
func newestOf(ctx context.Context, tx module.Tx, of renumberings) (map[agreementKey]newestInvoice, error) {
	out := make(map[agreementKey]newestInvoice, len(of))
	if len(of) == 0 {
		return out, nil
	}
	values := make([]tuple, 0, len(of))
	for k := range of {
		values = append(values, tuple{k.relation, k.agreement})
	}
	var found []newestRow
	all := module.Label(ctx, "an import contains invoices of the whole label")
	err := all.Raw(tx, `WITH batch (relation_id, agreement) AS (VALUES ?1)
		SELECT b.relation_id, b.agreement, coalesce((SELECT i.position || ' ' || i.due_date FROM billing_invoices AS i
			WHERE i.label_key = ?0 AND i.relation_id = b.relation_id AND i.agreement = b.agreement ORDER BY i.position DESC LIMIT 1), '') AS place
		FROM batch AS b`, valuesList(values)).Scan(ctx, &found)
	for _, f := range found {
		if position, due, ok := strings.Cut(f.Place, " "); ok {
			n, err := strconv.ParseInt(position, 10, 64)
			if err != nil {
				return nil, fmt.Errorf("billing: position of an invoice: %w", err)
			}
			out[agreementKey{f.RelationID, f.Agreement}] = newestInvoice{n, due}
		}
	}
	return out, err
}

// appendInvoices sets the positions of new invoices that are due after all others of their agreement, each on a different day, and removes
// these agreements from moved. A new invoice is usually the newest, and inserting it at its position costs half as much as inserting and
// then moving it.
func appendInvoices(before, batch []invoiceRow, newest map[agreementKey]newestInvoice, moved renumberings) {
	stored, touched := make(map[string]bool, len(before)), map[agreementKey]bool{}
	for _, old := range before {
		stored[old.InvoiceID], touched[agreementKey{old.RelationID, old.Agreement}] = true, true
	}
	added := make(map[agreementKey][]*invoiceRow, len(moved))
	for i := range batch {
		k := agreementKey{batch[i].RelationID, batch[i].Agreement}
		added[k] = append(added[k], &batch[i])
		batch[i].Position = 0 // a repeated transaction starts from scratch
		touched[k] = touched[k] || stored[batch[i].InvoiceID]
	}
	for k, invoices := range added {
		if touched[k] {
			continue
		}
		slices.SortFunc(invoices, func(a, b *invoiceRow) int { return cmp.Compare(a.DueDate.String(), b.DueDate.String()) })
		last, isAfter := newest[k].due, true
		for _, i := range invoices {
			due := i.DueDate.String()
			isAfter = isAfter && last < due
			last = due
		}
		if !isAfter {
			continue
		}
		for n, i := range invoices {
			i.Position = newest[k].position + int64(n) + 1
		}
		delete(moved, k)
	}
}

// renumber recomputes the positions of invoices from a due date on. A new invoice is usually the newest, so only its own position changes.
func renumber(ctx context.Context, tx module.Tx, moved renumberings) error {
	if len(moved) == 0 {
		return nil
	}
	var values []tuple
	for k, since := range moved {
		values = append(values, tuple{k.relation, k.agreement, since.String()})
	}
	all := module.Label(ctx, "an import contains invoices of the whole label")
	_, err := all.Raw(tx, `WITH moved (relation_id, agreement, since) AS (VALUES ?1),
		counted AS MATERIALIZED (
			SELECT i.invoice_id, row_number() OVER (PARTITION BY i.relation_id, i.agreement ORDER BY i.due_date, i.invoice_id) + coalesce((
				SELECT p.position FROM billing_invoices AS p
				WHERE p.label_key = ?0 AND p.relation_id = m.relation_id AND p.agreement = m.agreement AND p.due_date < m.since
				ORDER BY p.due_date DESC, p.invoice_id DESC LIMIT 1), 0) AS position
			FROM moved AS m CROSS JOIN billing_invoices AS i
			WHERE i.label_key = ?0 AND i.relation_id = m.relation_id AND i.agreement = m.agreement AND i.due_date >= m.since)
		UPDATE billing_invoices SET position = c.position FROM counted AS c
		WHERE billing_invoices.label_key = ?0 AND billing_invoices.invoice_id IN (SELECT invoice_id FROM counted)
			AND billing_invoices.invoice_id = c.invoice_id AND billing_invoices.position <> c.position`,
		valuesList(values)).Exec(ctx)
	return err
}

// updateYearTotals recomputes year totals and deletes years without invoices.
func updateYearTotals(ctx context.Context, tx module.Tx, years map[yearKey]bool) error {
	var values []tuple
	for k := range years {
		values = append(values, tuple{k.relation, k.agreement, k.year, firstDay(k.year), firstDay(k.year + 1)})
	}
	all := module.Label(ctx, "an import contains invoices of the whole label")
	count := `SELECT ?0, c.relation_id, c.agreement, c.year, count(i.invoice_id), coalesce(sum(i.amount), 0), coalesce(sum(i.balance), 0)
		FROM changed AS c LEFT JOIN billing_invoices AS i ON i.label_key = ?0 AND i.relation_id = c.relation_id AND i.agreement = c.agreement
			AND i.due_date >= c.since AND i.due_date < c.until
		GROUP BY c.relation_id, c.agreement, c.year`
	if tx.Postgres() {
		count = `SELECT ?0, c.relation_id, c.agreement, c.year, y.count, y.amount, y.open
		FROM changed AS c CROSS JOIN LATERAL (
			SELECT count(*) AS count, coalesce(sum(i.amount), 0) AS amount, coalesce(sum(i.balance), 0) AS open FROM billing_invoices AS i
			WHERE i.label_key = ?0 AND i.relation_id = c.relation_id AND i.agreement = c.agreement AND i.due_date >= c.since AND i.due_date < c.until) AS y`
	}
	_, err := all.Raw(tx, `WITH changed (relation_id, agreement, year, since, until) AS (VALUES ?1)
		INSERT INTO billing_invoice_years (label_key, relation_id, agreement, year, count, amount, open) `+count+`
		ON CONFLICT (label_key, relation_id, agreement, year) DO UPDATE SET count = EXCLUDED.count, amount = EXCLUDED.amount, open = EXCLUDED.open`,
		valuesList(values)).Exec(ctx)
	if err != nil {
		return err
	}
	for k, hasLeft := range years {
		if !hasLeft {
			continue
		}
		_, err := all.Raw(tx, "DELETE FROM billing_invoice_years WHERE label_key = ? AND relation_id = ? AND agreement = ? AND year = ? AND count = 0",
			k.relation, k.agreement, k.year).Exec(ctx)
		if err != nil {
			return err
		}
	}
	return nil
}

// tuple is a row of a VALUES list.
type tuple []any

// valuesList returns a VALUES list, sorted so that concurrent imports lock rows in the same order.
func valuesList(rows []tuple) any {
	type keyed struct {
		key string
		row tuple
	}
	sorted := make([]keyed, len(rows))
	for i, row := range rows {
		sorted[i] = keyed{fmt.Sprint(row...), row}
	}
	slices.SortFunc(sorted, func(a, b keyed) int { return cmp.Compare(a.key, b.key) })
	list := make([]bun.TupleValues, len(sorted))
	for i, s := range sorted {
		list[i] = bun.Tuple([]any(s.row))
	}
	return bun.List(list)
}
