package onboarding

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
)

// Limits per label. A browser always sends a solved challenge. A small number of registrations is accepted without one, so that a back
// office or a script can register a person.
const (
	verifyTTL        = 7 * 24 * time.Hour // validity of the link that verifies an email address
	registerTimeout  = 20 * time.Second   // for a registration, even if no caller waits for it anymore
	maxPerClient     = 100                // registrations and challenges per hour and network address
	maxPerEmail      = 5                  // emails per day and email address
	maxFreePerClient = 10                 // registrations per hour and network address without proof of work
	maxFree          = 60                 // registrations per hour without proof of work
)

// requestAccount stores an unverified registration (7.1-account-request-use, 7.5-register-submit). The response does not reveal whether the
// email address has an account: that is checked only after the emailed link was followed, and reported by email.
func (s *service) requestAccount(ctx context.Context, in *requestInput) (*struct{}, error) {
	set, err := module.Settings[Settings](ctx)
	if err != nil {
		return nil, err
	}
	key := in.Body.LabelKey
	if key == "" {
		key = module.ScopeOf(ctx).Label // 5.9-label-key-reconcile
	}
	if !set.Registration || key != module.ScopeOf(ctx).Label {
		return nil, problem.Fail(http.StatusForbidden, codeClosed)
	}
	r := in.Body.Registration.Normalize()
	if err := problem.Refuse(r.Check(module.Today(ctx, s.host.Now()), set.GenderOther)...); err != nil {
		return nil, err
	}
	attempt, err := attemptOf(in.Key, r)
	if err != nil {
		return nil, err
	}
	if attempt == nil {
		return nil, s.register(ctx, in, r, nil)
	}
	// Concurrent calls with the same key and form share one registration. It continues if its first caller disconnects, because others wait
	// for it.
	_, err, _ = s.running.Do(module.ScopeOf(ctx).Label+" "+*attempt, func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), registerTimeout)
		defer cancel()
		return nil, s.register(ctx, in, r, attempt)
	})
	return nil, err
}

// register stores a valid form as an unverified registration, unless the same attempt is already stored.
func (s *service) register(ctx context.Context, in *requestInput, r Registration, attempt *string) error {
	if sent, err := isAttemptStored(ctx, s.host.DB, attempt); err != nil || sent {
		return err
	}
	if err := s.takeLimit(ctx, module.Limit{Key: "request", Max: maxPerClient, Window: time.Hour, PerClient: true}); err != nil {
		return err
	}
	used, err := s.proof(ctx, in.Body)
	if err != nil {
		return err
	}
	at, unchecked, err := s.address(ctx, Address{Street: r.Street, HouseNumber: string(r.HouseNumber), Extension: string(r.Extension),
		ZipCode: r.ZipCode, City: r.City})
	if err != nil {
		return err
	}
	if err := s.takeLimit(ctx, module.Limit{Key: "request:" + mailboxKey(r.Email), Max: maxPerEmail, Window: 24 * time.Hour}); err != nil {
		return err
	}
	if used != "" { // last, so that a refused form can be sent again with the same proof
		ok, err := module.Limit{Key: "proof:" + used, Max: 1, Window: proofTTL}.Take(ctx, s.host.Client)
		if err != nil {
			return err
		}
		if !ok {
			sent, err := isAttemptStored(ctx, s.host.DB, attempt) // a concurrent call with the same form may have used the proof
			if err == nil && !sent {
				err = problem.Fail(http.StatusBadRequest, codeProofInvalid)
			}
			return err
		}
	}
	locale := module.ScopeOf(ctx).Locale
	a := r.application(locale, at, unchecked)
	document, err := json.Marshal(a)
	if err != nil {
		return err
	}
	now := s.host.Now().Truncate(time.Microsecond)
	row := &applicationRow{LabelKey: module.ScopeOf(ctx).Label, ID: value.NewID(), Email: mailboxKey(a.Email), Locale: locale,
		Document: document, Attempt: attempt, FiledAt: now, ExpiresAt: now.Add(verifyTTL)}
	token, err := s.token(ctx, kindApplication, row.ID, verifyTTL)
	if err != nil {
		return err
	}
	return s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		first, err := isChanged(module.Label(ctx, "a visitor has no relation yet").Insert(tx,
			row).On("CONFLICT (label_key, attempt) DO NOTHING").Exec(ctx))
		if err != nil || !first {
			return err
		}
		return tx.Mail(ctx, mailVerify(locale, a.Email, token))
	})
}

// attemptOf returns a hash of the idempotency key and the form, or nil without a key. The hash does not include the proof of work, which
// may expire and be replaced.
func attemptOf(key string, r Registration) (*string, error) {
	if key == "" {
		return nil, nil
	}
	data, err := json.Marshal(r)
	return new(hashed(key + "\x00" + string(data))), err
}

// proof validates the proof of work and returns the id of its challenge. It returns "" if there is no proof and none is required yet. A
// filled-in hidden field makes the proof required: bots fill in every field, but so do password managers, whose browser has computed the
// proof.
func (s *service) proof(ctx context.Context, f requestForm) (id string, err error) {
	if f.Challenge == "" && f.Website != "" {
		return "", problem.Fail(http.StatusPreconditionRequired, codeProofNeeded)
	}
	if f.Challenge == "" {
		for _, l := range []module.Limit{{Key: "free", Max: maxFreePerClient, Window: time.Hour, PerClient: true},
			{Key: "free", Max: maxFree, Window: time.Hour}} {
			if ok, err := l.Take(ctx, s.host.Client); err != nil || !ok {
				if err == nil {
					err = problem.Fail(http.StatusPreconditionRequired, codeProofNeeded)
				}
				return "", err
			}
		}
		return "", nil
	}
	secret, err := secretOf(ctx, s.host.DB)
	if err != nil {
		return "", err
	}
	id, ok := CheckProof(secret, module.ScopeOf(ctx).Label, f.Challenge, f.Solution, s.host.Now())
	if !ok {
		return "", problem.Fail(http.StatusBadRequest, codeProofInvalid)
	}
	return id, nil
}

func (s *service) makeChallenge(ctx context.Context, _ *struct{}) (*challengeAnswer, error) {
	set, err := module.Settings[Settings](ctx)
	if err != nil {
		return nil, err
	}
	if !set.Registration {
		return nil, problem.Fail(http.StatusForbidden, codeClosed)
	}
	if err := s.takeLimit(ctx, module.Limit{Key: "challenge", Max: maxPerClient, Window: time.Hour, PerClient: true}); err != nil {
		return nil, err
	}
	secret, err := secretOf(ctx, s.host.DB)
	if err != nil {
		return nil, err
	}
	expires := s.host.Now().Add(proofTTL).Truncate(time.Second)
	c := NewChallenge(secret, module.ScopeOf(ctx).Label, value.NewID(), expires)
	return &challengeAnswer{Challenge{Challenge: c, Bits: proofBits, Expires: expires}}, nil
}
