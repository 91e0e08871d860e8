// Package identity authenticates callers. It stores the accounts of each label and their sessions, and signs people in through
// the identity provider that the label configures: local, or an Amazon Cognito user pool (7.7-identity-service-choice).
//
// Read authenticate.go first: it shows how the token of a request is verified. The rest of core uses Service, which combines a type for
// each noun, such as sessions or invitations.
package identity

import (
	"cmp"
	"context"
	"embed"
	"errors"
	"log/slog"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/internal/base/clock"
	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/storage/audit"
	"github.com/wattle-portal/wattle/core/internal/storage/limit"
	"github.com/wattle-portal/wattle/core/internal/storage/masterkey"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
)

//go:embed migrations/*.sql
var files embed.FS

// Migrations create the tables for accounts, sessions, keys and codes.
var Migrations = store.Migrations{Name: "identity", FS: files}

// Deps are the dependencies of Service.
type Deps struct {
	DB      store.DB // core's own database
	Labels  label.Source
	Clock   *clock.Clock
	Limits  *limit.Limiter
	Secrets func(name string) string // --secret-file entries and the environment; see SecretName
	Dir     string                   // data folder: without the secret, the key is stored there in identity.key
	Key     *masterkey.Key           // identity key; nil: from Secrets or Dir
	Cognito Provider                 // cognito.New(…); nil when no label may use it
	Cost    Cost                     // cost of a password hash; zero: DefaultCost
	Cores   int                      // cores that hashing may use while other requests are served; zero: half of them
	Busy    func() bool              // reports whether other requests are served; nil: never
	Demo    bool                     // allows cookies over plain HTTP
	// KeepSessions is how long a session that is not refreshed lasts (0: 24 hours), KeepImpersonations how long a started impersonation
	// is stored (0: 400 days).
	KeepSessions, KeepImpersonations time.Duration
	Log                              *slog.Logger
	Audit                            *audit.Log // records every impersonation
}

// Service is the identity service of the portal. It embeds the types whose exported methods core calls; the comments list them.
type Service struct {
	*authenticator      // Authenticate, Resume
	*revocations        // Follow
	*providers          // JWKS
	*apiKeys            // AuthenticateKey, AddKey, MakeKey, RevokeKey, Keys
	*signIns            // DemoSignIn
	*impersonationCodes // NewImpersonation, DemoImpersonation
	*people             // People, ApplyToStaff
	*invitations        // Invite
	*importer           // Import, Upsert, AddStaff
	*decisions          // Handle

	browsers   *browserSessions
	passwords  *passwordChanges
	list       *sessionList
	operations *accountOperations

	db                 store.DB
	keyring            *keyring
	now                func() time.Time
	keepImpersonations time.Duration
}

// New returns the service. It reads or creates the identity key, and does not access the database.
func New(d Deps) (*Service, error) {
	if d.Secrets == nil {
		d.Secrets = func(string) string { return "" }
	}
	if d.Log == nil {
		d.Log = slog.New(slog.DiscardHandler)
	}
	sealer := &sealer{d.Key}
	if d.Key == nil {
		var err error
		if sealer, err = openSealer(d.Secrets(SecretName), d.Dir); err != nil {
			return nil, err
		}
	}
	now := func() time.Time { return d.Clock.Now().Truncate(time.Microsecond) } // with the precision of the database

	// Shared by the types below.
	keyring := &keyring{db: d.DB, sealer: sealer, now: now, labels: map[string]*keys{}}
	signer := &signer{keys: keyring, now: now}
	hasher := newHasher(d.Cost, d.Cores, d.Busy)
	accounts := &accounts{db: d.DB, now: now, log: d.Log}
	codes := &codes{db: d.DB, sealer: sealer, now: now}
	attempts := &attempts{limits: d.Limits, log: d.Log}
	revocations := newRevocations(d.DB, now, d.Log)
	local := &local{accounts: accounts, codes: codes, hasher: hasher, signer: signer, sealer: sealer, log: d.Log}
	providers := &providers{labels: d.Labels, local: local, cognito: d.Cognito}
	sessions := &sessions{db: d.DB, sealer: sealer, providers: providers, revocations: revocations, now: now, idle: d.KeepSessions,
		log: d.Log}
	impersonations := &impersonations{db: d.DB, revocations: revocations, now: now}
	authenticator := &authenticator{providers: providers, signer: signer, accounts: accounts, sessions: sessions,
		impersonations: impersonations, cache: newTokenCache(revocations), now: now}

	browsers := &browserSessions{demo: d.Demo, providers: providers, accounts: accounts, sessions: sessions,
		impersonations: impersonations, authenticator: authenticator, signer: signer, now: now, log: d.Log}
	invitations := &invitations{db: d.DB, labels: d.Labels, providers: providers, accounts: accounts, sealer: sealer, now: now}
	return &Service{
		authenticator: authenticator,
		revocations:   revocations,
		providers:     providers,
		apiKeys:       &apiKeys{db: d.DB, labels: d.Labels, revocations: revocations, now: now, log: d.Log},
		signIns: &signIns{demo: d.Demo, providers: providers, accounts: accounts, attempts: attempts, hasher: hasher, sealer: sealer,
			browsers: browsers, now: now, log: d.Log},
		impersonationCodes: &impersonationCodes{db: d.DB, demo: d.Demo, providers: providers, accounts: accounts,
			authenticator: authenticator, signer: signer, audit: d.Audit, now: now, log: d.Log},
		people: &people{db: d.DB, labels: d.Labels, providers: providers, accounts: accounts, sessions: sessions, audit: d.Audit,
			now: now},
		invitations: invitations,
		importer:    &importer{db: d.DB, labels: d.Labels, providers: providers, accounts: accounts, sessions: sessions, now: now},
		decisions:   &decisions{db: d.DB, labels: d.Labels, providers: providers, accounts: accounts},

		browsers: browsers,
		passwords: &passwordChanges{db: d.DB, providers: providers, accounts: accounts, codes: codes, sessions: sessions,
			browsers: browsers, attempts: attempts, log: d.Log},
		list: &sessionList{db: d.DB, providers: providers, sessions: sessions, now: now},
		operations: &accountOperations{db: d.DB, providers: providers, accounts: accounts, invitations: invitations,
			mailboxes: &mailboxes{d.DB}},

		db: d.DB, keyring: keyring, now: now, keepImpersonations: cmp.Or(d.KeepImpersonations, impersonationRetention),
	}, nil
}

// Routes registers the auth operations, the operations for staff and back offices, and the sibling operations for accounts.
func (s *Service) Routes(api huma.API) {
	s.signIns.routes(api)
	s.browsers.routes(api)
	s.passwords.routes(api)
	s.list.routes(api)
	s.impersonationCodes.routes(api)
	s.people.routes(api)
	s.operations.routes(api)
}

// operation returns the description of an operation of this package.
func operation(method, path, id, summary, description string) huma.Operation {
	return huma.Operation{OperationID: id, Method: method, Path: path, Summary: summary, Description: description}
}

// Sweep deletes expired data of all labels.
func (s *Service) Sweep(ctx context.Context) error {
	return s.db.Tx(system(ctx, ""), func(ctx context.Context, tx store.Tx) error {
		now := s.now()
		_, err1 := tx.NewDelete().Model((*session)(nil)).Where("ends_at <= ?", now).Exec(ctx)
		_, err2 := tx.NewDelete().Model((*codeRow)(nil)).Where("expires_at <= ?", now).Exec(ctx)
		_, err3 := tx.NewDelete().Model((*impersonation)(nil)).Where("created_at <= ?", now.Add(-s.keepImpersonations)).Exec(ctx)
		_, err4 := tx.NewDelete().Model((*sessionToken)(nil)).Where("expires_at <= ?", now.Add(-revocationRetention)).Exec(ctx)
		_, err5 := tx.NewDelete().Model((*revocation)(nil)).Where("at <= ?", now.Add(-2*revocationRetention)).Exec(ctx)
		return errors.Join(err1, err2, err3, err4, err5, s.keyring.sweep(ctx, tx))
	})
}

// system returns a context in which core itself writes for a label, independently of the caller.
func system(ctx context.Context, label string) context.Context {
	return scope.With(ctx, scope.Scope{Label: label, Role: scope.RoleSystem, Locale: scope.Of(ctx).Locale}, nil)
}

// warn logs an error that the caller can neither fix nor needs to see.
func warn(ctx context.Context, log *slog.Logger, err error, message string) {
	if err != nil {
		log.WarnContext(ctx, message, "error", err)
	}
}
