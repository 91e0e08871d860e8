package identity

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/mail"
	"runtime"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/record"
	"github.com/wattle-portal/wattle/core/value"
)

// ImportKind is the record kind that Import accepts: a login.
const ImportKind = "account"

// loginRecord is one login to import. A customer's relation is derived from the debtor number as in every module. In an existing account it
// changes only the fields that it contains, so that a record with only username and disabled erases nothing.
type loginRecord struct {
	Username          string       `json:"username"`
	Email             *string      `json:"email"`
	Name              *string      `json:"name"`
	Preferred         *string      `json:"preferred_name"` // first name that the person uses
	DebtorNumber      looseString  `json:"debtor_number"`
	Role              string       `json:"role"` // customer (default), staff or impersonator
	Password          string       `json:"password"`
	TemporaryPassword string       `json:"temporary_password"`
	Locale            *string      `json:"locale"`
	IsImpersonator    looseBool    `json:"is_impersonator"`
	Disabled          optionalBool `json:"disabled"` // absent or empty: unchanged
}

// RecordKinds describes the records that Import accepts.
var RecordKinds = []record.Kind{{
	Name: ImportKind, Doc: "A login. The natural key is username. A password is used only for an account without one. " +
		"Of an existing account a record changes only the fields that it has: one with username and disabled is enough.",
	Fields: loginRecord{}, Required: []string{"username"},
	Values: map[string][]string{"role": {Customer, Staff, ImpersonatorRole}, "locale": {"nl", "en"}},
	Example: `{"username":"f.de.vries","email":"f.de.vries@voorbeeld.example","name":"F. de Vries",` +
		`"preferred_name":"Femke","debtor_number":"10001","role":"customer","locale":"nl"}`,
}}

// looseString decodes a number as a string: 10001 and "10001" are the same debtor number.
type looseString string

// UnmarshalJSON reads a string, a number or null.
func (t *looseString) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		*t = ""
		return nil
	}
	if b[0] != '"' {
		*t = looseString(b)
		return nil
	}
	return json.Unmarshal(b, (*string)(t))
}

// looseBool decodes true and "true", because CSV files contain only strings.
type looseBool bool

// UnmarshalJSON reads true and false, also as strings, and the empty string.
func (t *looseBool) UnmarshalJSON(b []byte) error {
	switch strings.ToLower(strings.Trim(string(b), `"`)) {
	case "true", "1":
		*t = true
	case "false", "0", "", "null":
		*t = false
	default:
		return errors.New("identity: not true or false")
	}
	return nil
}

// optionalBool is an optional boolean of a record.
type optionalBool struct {
	isSet bool
	value looseBool
}

// UnmarshalJSON reads what looseBool reads; for null and the empty string isSet stays false.
func (c *optionalBool) UnmarshalJSON(b []byte) error {
	c.isSet = string(b) != "null" && string(b) != `""`
	return c.value.UnmarshalJSON(b)
}

// JSONTypes implements record.JSONTyper.
func (optionalBool) JSONTypes() []string { return []string{"boolean", "string", "null"} }

// absentFields tells which fields are missing from a record for an existing account.
type absentFields struct{ email, name, preferred, locale bool }

func (r loginRecord) absent() absentFields {
	return absentFields{email: r.Email == nil, name: r.Name == nil, preferred: r.Preferred == nil, locale: r.Locale == nil}
}

// namesOwner reports whether a record contains the owner of the login. A record without an owner can only change an existing account.
func (r loginRecord) namesOwner() bool {
	return r.Role != "" || bool(r.IsImpersonator) || strings.TrimSpace(string(r.DebtorNumber)) != ""
}

// account validates a record. known is the existing account for a record without an owner, or nil. For an invalid record it returns a
// refusal with a code.
func (r loginRecord) account(labelKey string, existing *login) (a Account, password string, temporary bool, refusal record.Refusal) {
	refuse := func(field, code string) (Account, string, bool, record.Refusal) {
		return Account{}, "", false, record.Refusal{Field: field, Code: code}
	}
	text := func(s *string) string {
		if s == nil {
			return ""
		}
		return strings.TrimSpace(*s)
	}
	a = Account{Label: labelKey, Username: NormalizeUsername(r.Username), Email: text(r.Email), Name: text(r.Name),
		Preferred: text(r.Preferred), Locale: text(r.Locale), Role: r.Role}
	switch {
	case existing != nil:
		a.Role, a.Relation = existing.Role, existing.Relation
	case a.Role == "":
		a.Role = Customer
	}
	if r.IsImpersonator {
		a.Role = ImpersonatorRole
	}
	if debtor := strings.TrimSpace(string(r.DebtorNumber)); debtor != "" && a.Role == Customer {
		a.Relation = value.StableID(labelKey, "relation", debtor)
	}
	switch {
	case a.Username == "":
		return refuse("username", problem.CodeRequired)
	case !isWellFormed(a.Username):
		return refuse("username", CodeInvalidChars)
	case a.Role != Customer && a.Role != Staff && a.Role != ImpersonatorRole:
		return refuse("role", problem.CodeInvalid)
	case a.Role == Customer && a.Relation == "":
		return refuse("debtor_number", problem.CodeRequired)
	case a.Role != ImpersonatorRole && strings.HasPrefix(a.Username, impersonatorPrefix):
		return refuse("username", problem.CodeInvalid)
	case a.Locale != "" && a.Locale != "nl" && a.Locale != "en":
		return refuse("locale", problem.CodeInvalid)
	case !isPersonName(a.Name):
		return refuse("name", CodeInvalidChars)
	case !hasLength(a.Preferred, maxPreferredLength):
		return refuse("preferred_name", CodeInvalidChars)
	case r.Password != "" && r.TemporaryPassword != "":
		return refuse("temporary_password", problem.CodeInvalid)
	}
	if a.Email != "" {
		if parsed, err := mail.ParseAddress(a.Email); err != nil || parsed.Address != a.Email {
			return refuse("email", problem.CodeInvalid)
		}
	}
	password, temporary = r.Password, r.TemporaryPassword != ""
	field := "password"
	if temporary {
		password, field = r.TemporaryPassword, "temporary_password"
	}
	if password != "" && (!isWellFormed(password) || CheckPassword(password) != nil) {
		return refuse(field, CodePasswordPolicy)
	}
	return a, password, temporary, record.Refusal{}
}

// importer writes accounts from other sources: an import, a command of the program, a demo.
type importer struct {
	db        store.DB
	labels    label.Source
	providers *providers
	accounts  *accounts
	sessions  *sessions
	now       func() time.Time
}

// Import upserts logins of the caller's label by username. A password is used only for an account without one, so a repeated import never
// resets a password that a customer chose.
func (s *importer) Import(ctx context.Context, kind string, rows []record.Row) ([]record.Refusal, error) {
	if kind != ImportKind {
		return nil, fmt.Errorf("identity: no record kind %q", kind)
	}
	l := s.labels.ByKey(scope.Of(ctx).Label)
	if l == nil {
		return nil, errors.New("identity: an import without a label")
	}
	var refusals []record.Refusal
	var good []preparedAccount
	for _, row := range rows {
		var rec loginRecord
		d := json.NewDecoder(bytes.NewReader(row.Data))
		d.DisallowUnknownFields()
		if err := d.Decode(&rec); err != nil {
			refusals = append(refusals, record.Refusal{Line: row.Line, Code: problem.CodeMalformed})
			continue
		}
		var existing *login
		if !rec.namesOwner() {
			r, err := s.accounts.byUsername(ctx, s.db.Read(), l.Key, NormalizeUsername(rec.Username))
			if err != nil && !errors.Is(err, errNotFound) {
				return nil, err
			}
			existing = r
		}
		a, password, temporary, no := rec.account(l.Key, existing)
		if no.Code != "" {
			no.Line = row.Line
			refusals = append(refusals, no)
			continue
		}
		good = append(good, preparedAccount{account: a, password: password, temporary: temporary, line: row.Line, disabled: rec.Disabled,
			absent: rec.absent()})
	}
	hashing, hashCtx := errgroup.WithContext(ctx)
	hashing.SetLimit(runtime.GOMAXPROCS(0))
	for i := range good {
		hashing.Go(func() error { return s.prepare(hashCtx, l, &good[i]) })
	}
	if err := hashing.Wait(); err != nil {
		return nil, err
	}
	var taken []record.Refusal
	var out []string
	var ended []session
	err := s.db.Tx(ctx, func(ctx context.Context, tx store.Tx) error {
		taken, out, ended = nil, nil, nil // the transaction may run again
		for _, x := range good {
			r, _, err := s.accounts.upsert(ctx, tx, x)
			if errors.Is(err, errUsernameTaken) {
				taken = append(taken, record.Refusal{Line: x.line, Field: "username", Code: CodeUsernameTaken})
				continue
			}
			if err != nil {
				return err
			}
			if !x.disabled.isSet || bool(x.disabled.value) == r.Disabled {
				continue
			}
			if err := setDisabled(ctx, tx, r.Label, r.ID, bool(x.disabled.value)); err != nil {
				return err
			}
			if x.disabled.value {
				more, err := s.sessions.endAllOf(ctx, tx, r.Label, r.ID, "")
				if err != nil {
					return err
				}
				out, ended = append(out, r.ID), append(ended, more...)
			}
		}
		return nil
	})
	if err == nil && len(out) > 0 {
		s.sessions.afterEnd(ctx, l, ended, out...)
	}
	return append(refusals, taken...), err
}

// preparedAccount is an account whose password was hashed outside the transaction.
type preparedAccount struct {
	account   Account
	password  string
	temporary bool
	line      int
	disabled  optionalBool
	absent    absentFields

	hash  string
	until time.Time
}

// prepare hashes a password, or creates the user at the provider, unless the account exists and has a password.
func (s *importer) prepare(ctx context.Context, l *label.Label, x *preparedAccount) error {
	x.account.Temporary = false
	if x.password == "" {
		return nil
	}
	r, err := s.accounts.byUsername(ctx, s.db.Read(), l.Key, x.account.Username)
	if err == nil && r.Password != "" {
		return nil
	}
	if err != nil && !errors.Is(err, errNotFound) {
		return err
	}
	p, err := s.providers.of(l)
	if err != nil {
		return err
	}
	if x.hash, err = p.Put(ctx, l, x.account, x.password, x.temporary); err != nil || x.hash == "" || !x.temporary {
		return err
	}
	x.account.Temporary, x.until = true, s.now().Add(temporaryLifetime)
	return nil
}

// Upsert writes an account, which it finds by id or otherwise by username, and returns it as stored. The password is used only if the
// account has none yet; a temporary one must be changed at the first sign-in. It returns CodeUsernameTaken when another account has the
// name.
func (s *importer) Upsert(ctx context.Context, a Account, password string, temporary bool) (Account, error) {
	l := s.labels.ByKey(a.Label)
	if l == nil {
		return a, fmt.Errorf("identity: no label %q", a.Label)
	}
	a.Username = NormalizeUsername(a.Username)
	if err := checkFields(field{"username", a.Username, CodeEmptyUsername}); err != nil {
		return a, err
	}
	x := preparedAccount{account: a, password: password, temporary: temporary}
	if err := s.prepare(ctx, l, &x); err != nil {
		return a, err
	}
	err := s.db.Tx(system(ctx, a.Label), func(ctx context.Context, tx store.Tx) error {
		r, _, err := s.accounts.upsert(ctx, tx, x)
		if err == nil {
			a = r.account()
		}
		return err
	})
	return a, err
}

// AddStaff creates a staff account with a temporary password and returns the password. It returns CodeUsernameTaken when the name is in
// use, and a problem that names the field when a field is invalid (the rules are those of Import) or when the email address or the name is
// empty.
func (s *importer) AddStaff(ctx context.Context, labelKey, username, email, name string) (password string, err error) {
	email, name = value.NormalizeEmail(email), strings.TrimSpace(name)
	_, _, _, no := loginRecord{Username: username, Email: &email, Name: &name, Role: Staff}.account(labelKey, nil)
	switch {
	case no.Code != "":
		return "", problem.Refuse(problem.FieldError{Field: no.Field, Code: no.Code})
	case !value.IsEmail(email):
		return "", problem.Refuse(problem.FieldError{Field: "email", Code: problem.CodeInvalid})
	case name == "":
		return "", problem.Refuse(problem.FieldError{Field: "name", Code: problem.CodeRequired})
	}
	if err := s.accounts.checkFree(ctx, labelKey, username); err != nil {
		return "", err
	}
	password = newPassword()
	_, err = s.Upsert(ctx, Account{Label: labelKey, Username: username, Email: email, Name: name, Role: Staff}, password, true)
	return password, err
}
