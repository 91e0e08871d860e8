package identity

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
)

// Account roles.
const (
	Customer = "customer"
	Staff    = "staff"
	// ImpersonatorRole is an account with the attribute is_impersonator (6-impersonator-attribute). It impersonates customers through a
	// support tool and never signs in.
	ImpersonatorRole = "impersonator"
)

// Account is a login of a label.
type Account struct {
	ID        string
	Label     string
	Relation  string // only for a customer
	Username  string // normalized
	Reserved  string // requested username, not yet processed
	Email     string
	Name      string
	Preferred string // first name that the person uses; empty: not known
	Locale    string // nl or en; empty: nl
	Role      string // Customer, Staff or ImpersonatorRole
	Temporary bool   // the password must be changed at the next sign-in
	Disabled  bool   // cannot sign in; Upsert does not change it

	Subjects []Subject // users of identity providers; only filled for calls to a provider
}

// User returns the name by which a provider finds the user of an account: the subject, which never changes, otherwise the username.
func (a Account) User(issuer string) string {
	for _, u := range a.Subjects {
		if u.Issuer == issuer {
			return u.ID
		}
	}
	return a.Username
}

// login is an account as stored.
type login struct {
	bun.BaseModel `bun:"table:identity_accounts,alias:a"`

	Label          string    `bun:"label_key,pk"`
	ID             string    `bun:"id,pk"`
	Relation       string    `bun:"relation_id"`
	Email          string    `bun:"email"`
	Name           string    `bun:"name"`
	Preferred      string    `bun:"preferred_name"`
	Locale         string    `bun:"locale"`
	Role           string    `bun:"role"`
	Password       string    `bun:"password"`
	Temporary      bool      `bun:"temporary"`
	TemporaryUntil time.Time `bun:"temporary_until,nullzero"`
	Created        time.Time `bun:"created_at"`
	Updated        time.Time `bun:"updated_at"`

	Username  string    `bun:"username,scanonly"`
	Reserved  string    `bun:"reserved,scanonly"`
	Disabled  bool      `bun:"disabled,scanonly"`
	SignedOut time.Time `bun:"signed_out_at,scanonly"` // when all sessions were ended; zero: never
}

type username struct {
	bun.BaseModel `bun:"table:identity_usernames,alias:n"`

	Label    string `bun:"label_key,pk"`
	Username string `bun:"username,pk"`
	Account  string `bun:"account_id"`
	Reserved bool   `bun:"reserved"`
	// ReservedAt is when a reserved name was last requested; zero: requested before this column existed.
	ReservedAt time.Time `bun:"reserved_at,nullzero"`
}

// accountState is the state of an account outside identity_accounts. An account that was never disabled or signed out has no such row.
type accountState struct {
	bun.BaseModel `bun:"table:identity_account_states,alias:st"`

	Label     string    `bun:"label_key,pk"`
	Account   string    `bun:"account_id,pk"`
	Disabled  bool      `bun:"disabled"`
	SignedOut time.Time `bun:"signed_out_at,nullzero"`
}

func (r *login) account() Account {
	return Account{ID: r.ID, Label: r.Label, Relation: r.Relation, Username: r.Username, Reserved: r.Reserved, Email: r.Email,
		Name: r.Name, Preferred: r.Preferred, Locale: r.Locale, Role: r.Role, Temporary: r.Temporary, Disabled: r.Disabled}
}

// accounts is the repository of accounts. Every method takes the label explicitly, because core also calls it before there is a
// scope.
type accounts struct {
	db  store.DB
	now func() time.Time
	log *slog.Logger
}

// selectAccount selects an account with its names and state. It lists the account columns, so that a later version can add a column while
// this version runs. The second join compares reserved with TRUE because SQLite would otherwise scan all names of the label.
func selectAccount(db bun.IDB, r *login, label string) *bun.SelectQuery {
	return db.NewSelect().Model(r).ColumnExpr("?TableColumns, n.username, COALESCE(w.username, '') AS reserved, "+
		"COALESCE(st.disabled, FALSE) AS disabled, st.signed_out_at").
		Join("JOIN identity_usernames AS n ON n.label_key = a.label_key AND n.account_id = a.id AND n.reserved = FALSE").
		Join("LEFT JOIN identity_usernames AS w ON w.label_key = a.label_key AND w.account_id = a.id AND w.reserved = TRUE").
		Join("LEFT JOIN identity_account_states AS st ON st.label_key = a.label_key AND st.account_id = a.id").
		Where("a.label_key = ?", label).Limit(1)
}

// scanAccount runs a query for one account. It returns errNotFound when there is none.
func scanAccount(ctx context.Context, q *bun.SelectQuery, r *login) (*login, error) {
	err := q.Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, errNotFound
	}
	if err != nil {
		return nil, err
	}
	return r, nil
}

func (s *accounts) byID(ctx context.Context, db bun.IDB, label, id string) (*login, error) {
	r := &login{}
	return scanAccount(ctx, selectAccount(db, r, label).Where("a.id = ?", id), r)
}

func (s *accounts) byUsername(ctx context.Context, db bun.IDB, label, name string) (*login, error) {
	r := &login{}
	return scanAccount(ctx, selectAccount(db, r, label).Where("n.username = ?", name), r)
}

// byRelation returns the oldest account of a relation that is not disabled, or otherwise the oldest account.
func (s *accounts) byRelation(ctx context.Context, db bun.IDB, label, relation string) (*login, error) {
	r := &login{}
	q := selectAccount(db, r, label).Where("a.relation_id = ? AND a.role = ?", relation, Customer).OrderExpr("disabled, a.created_at, a.id")
	return scanAccount(ctx, q, r)
}

// checkFree returns errUsernameTaken when an account has the username.
func (s *accounts) checkFree(ctx context.Context, labelKey, username string) error {
	switch _, err := s.byUsername(ctx, s.db.Read(), labelKey, NormalizeUsername(username)); {
	case errors.Is(err, errNotFound):
		return nil
	case err != nil:
		return err
	}
	return errUsernameTaken
}

// identify adds to the request log the account that a request without a session names (11-security-log). A name without an account is not
// logged, because people type passwords in that field. It reads the database before the result is known, so the duration is the same for
// every result.
func (s *accounts) identify(ctx context.Context, l *label.Label, username string) {
	if r, err := s.byUsername(ctx, s.db.Read(), l.Key, username); err == nil {
		scope.Identify(ctx, r.ID)
	}
}

// upsert inserts or updates an account. It looks for the account by id, then by username, then by the id that is derived from the username.
// An existing account keeps its username, its password if it has one, and the fields that x.absent marks. made reports whether the account
// is new.
func (s *accounts) upsert(ctx context.Context, tx store.Tx, x preparedAccount) (r *login, made bool, err error) {
	a, hash, until, now := x.account, x.hash, x.until, s.now()
	stable := value.StableID(a.Label, "account", a.Username)
	for _, find := range []func() (*login, error){
		func() (*login, error) { return s.byID(ctx, tx, a.Label, a.ID) },
		func() (*login, error) { return s.byUsername(ctx, tx, a.Label, a.Username) },
		func() (*login, error) { return s.byID(ctx, tx, a.Label, stable) },
	} {
		if r, err = find(); !errors.Is(err, errNotFound) {
			break
		}
	}
	switch {
	case err == nil && r.Relation == a.Relation && r.Role == a.Role:
		if x.absent.email {
			a.Email = r.Email
		}
		if x.absent.name {
			a.Name = r.Name
		}
		if x.absent.preferred {
			a.Preferred = r.Preferred
		}
		if x.absent.locale {
			a.Locale = r.Locale
		}
		if r.Email != a.Email {
			if err := deleteCodes(ctx, tx, r.Label, r.ID); err != nil {
				return nil, false, err
			}
		}
		r.Email, r.Name, r.Preferred, r.Locale, r.Updated = a.Email, a.Name, a.Preferred, a.Locale, now
		if r.Password == "" {
			r.Password, r.Temporary, r.TemporaryUntil = hash, a.Temporary, until
		}
		_, err = tx.NewUpdate().Model(r).Column("email", "name", "preferred_name", "locale", "password", "temporary",
			"temporary_until", "updated_at").WherePK().Exec(ctx)
		return r, false, err
	case err == nil && r.Username == a.Username:
		return nil, false, errUsernameTaken // another account has the name: a login cannot move to another relation or role
	case err == nil: // the first owner of the name has another name now
		stable = value.NewID()
	case !errors.Is(err, errNotFound):
		return nil, false, err
	}
	if a.ID == "" {
		a.ID = stable
	}
	r = &login{Label: a.Label, ID: a.ID, Relation: a.Relation, Email: a.Email, Name: a.Name, Preferred: a.Preferred,
		Locale: a.Locale, Role: a.Role, Password: hash, Temporary: a.Temporary, TemporaryUntil: until, Created: now, Updated: now,
		Username: a.Username}
	if _, err := tx.NewInsert().Model(r).Exec(ctx); err != nil {
		return nil, false, err
	}
	if err := s.claim(ctx, tx, a.Label, a.ID, a.Username, false); err != nil {
		if _, undo := tx.NewDelete().Model(r).WherePK().Exec(ctx); undo != nil {
			return nil, false, undo
		}
		return nil, false, err
	}
	return r, true, nil
}

// claim gives a name to an account. It returns errUsernameTaken when an account has or has requested that name.
func (s *accounts) claim(ctx context.Context, tx store.Tx, label, id, name string, reserved bool) error {
	row := &username{Label: label, Username: name, Account: id, Reserved: reserved}
	if reserved {
		row.ReservedAt = s.now()
	}
	res, err := tx.NewInsert().Model(row).
		On("CONFLICT (label_key, username) DO NOTHING").Exec(ctx)
	if err != nil {
		return err
	}
	n, err := res.RowsAffected()
	if err != nil {
		return err
	}
	if n == 0 {
		return errUsernameTaken
	}
	return nil
}

// release deletes the name that an account has requested. If name is not empty, it deletes only that name. If decided is not zero, it does
// not delete a name that was requested after the decision.
func (s *accounts) release(ctx context.Context, tx store.Tx, label, id, name string, decided time.Time) error {
	q := tx.NewDelete().Model((*username)(nil)).Where("label_key = ? AND account_id = ? AND reserved", label, id)
	if name != "" {
		q = q.Where("username = ?", name)
	}
	if !decided.IsZero() {
		q = q.Where("(reserved_at IS NULL OR reserved_at <= ?)", decided)
	}
	_, err := q.Exec(ctx)
	return err
}

// reserve replaces the name that an account has requested.
func (s *accounts) reserve(ctx context.Context, tx store.Tx, label, id, name string) error {
	if err := s.release(ctx, tx, label, id, "", time.Time{}); err != nil {
		return err
	}
	return s.claim(ctx, tx, label, id, name, true)
}

// rename gives an account the name that it has requested.
func (s *accounts) rename(ctx context.Context, tx store.Tx, label, id, name string) error {
	if err := deleteCodes(ctx, tx, label, id); err != nil {
		return err
	}
	if err := s.release(ctx, tx, label, id, name, time.Time{}); err != nil {
		return err
	}
	_, err := tx.NewDelete().Model((*username)(nil)).Where("label_key = ? AND account_id = ? AND NOT reserved", label, id).Exec(ctx)
	if err != nil {
		return err
	}
	return s.claim(ctx, tx, label, id, name, false)
}

// setPassword replaces the password of an account with one chosen by the user. It returns ErrSessionExpired when the password has
// changed since r was read.
func (s *accounts) setPassword(ctx context.Context, tx store.Tx, r *login, hash string) error {
	res, err := tx.NewUpdate().Model((*login)(nil)).Set("password = ?", hash).Set("temporary = ?", false).Set("temporary_until = NULL").
		Set("updated_at = ?", s.now()).Where("label_key = ? AND id = ? AND password = ?", r.Label, r.ID, r.Password).Exec(ctx)
	if err != nil {
		return err
	}
	n, err := res.RowsAffected()
	if err == nil && n == 0 {
		return ErrSessionExpired
	}
	if err != nil {
		return err
	}
	return deleteCodes(ctx, tx, r.Label, r.ID)
}

// setTemporary replaces the password of an account with a temporary one. It returns ErrSessionExpired when the password has
// changed since r was read.
func (s *accounts) setTemporary(ctx context.Context, tx store.Tx, r *login, hash string, until time.Time) error {
	res, err := tx.NewUpdate().Model((*login)(nil)).Set("password = ?", hash).Set("temporary = ?", true).Set("temporary_until = ?", until).
		Set("updated_at = ?", s.now()).Where("label_key = ? AND id = ? AND password = ?", r.Label, r.ID, r.Password).Exec(ctx)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(err, problem.Fail(http.StatusConflict, CodeSessionExpired))
	}
	return nil
}

// renewPassword replaces the hash of an unchanged password. It does nothing when the password has changed since r was read.
func (s *accounts) renewPassword(ctx context.Context, tx store.Tx, r *login, hash string) error {
	_, err := tx.NewUpdate().Model((*login)(nil)).Set("password = ?", hash).
		Where("label_key = ? AND id = ? AND password = ?", r.Label, r.ID, r.Password).Exec(ctx)
	return err
}

// passwordNear returns the first password hash among the accounts whose id is at least place, or else the first hash of all accounts. It
// returns an empty string when no account of the label has a password. Ids are random, so place can be any string.
func (s *accounts) passwordNear(ctx context.Context, label, place string) (hash string, err error) {
	for _, from := range []string{place, ""} {
		err = s.db.Read().NewSelect().Model((*login)(nil)).Column("password").
			Where("label_key = ? AND id >= ? AND password <> ''", label, from).OrderExpr("id").Limit(1).Scan(ctx, &hash)
		if !errors.Is(err, sql.ErrNoRows) {
			return hash, err
		}
	}
	return "", nil
}

// setEmail replaces the address of an account. Codes that were sent to the previous address become invalid.
func (s *accounts) setEmail(ctx context.Context, tx store.Tx, label, id, email string) error {
	if err := deleteCodes(ctx, tx, label, id); err != nil {
		return err
	}
	_, err := tx.NewUpdate().Model((*login)(nil)).Set("email = ?", email).Set("updated_at = ?", s.now()).
		Where("label_key = ? AND id = ?", label, id).Exec(ctx)
	return err
}

// setDisabled stores whether an account is disabled.
func setDisabled(ctx context.Context, tx store.Tx, label, account string, disabled bool) error {
	_, err := tx.NewInsert().Model(&accountState{Label: label, Account: account, Disabled: disabled}).
		On("CONFLICT (label_key, account_id) DO UPDATE").Set("disabled = EXCLUDED.disabled").Exec(ctx)
	return err
}

// NamesOf returns the names of accounts of a label by id, without ids of other labels.
func NamesOf(ctx context.Context, db bun.IDB, labelKey string, ids []string) (map[string]string, error) {
	out := make(map[string]string, len(ids))
	if len(ids) == 0 {
		return out, nil
	}
	var rows []login
	err := db.NewSelect().Model(&rows).Column("id", "name").Where("label_key = ? AND id IN ?", labelKey, bun.Tuple(ids)).Scan(ctx)
	if err != nil {
		return nil, fmt.Errorf("identity: names: %w", err)
	}
	for _, r := range rows {
		out[r.ID] = r.Name
	}
	return out, nil
}
