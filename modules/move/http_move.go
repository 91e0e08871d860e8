package move

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/move/moveapi"
)

type requestInput struct {
	Key  string `header:"Idempotency-Key" minLength:"1" maxLength:"64" pattern:"^[A-Za-z0-9._~-]+$" doc:"Id of the request from the caller; repeating the request with the same key files no second move"`
	Body Request
}

// request files a move. Agreements, commodities and addresses are read again from their modules, because the browser's input cannot be
// trusted (2.2-exclude-server).
func (s *service) request(ctx context.Context, in *requestInput) (*struct{}, error) {
	rows, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	digest, err := digestOf(in.Body)
	if err != nil {
		return nil, err
	}
	if sent, err := alreadyFiled(ctx, s.host.DB, rows, in.Key, digest); err != nil || sent {
		return nil, err
	}
	today := module.Today(ctx, s.host.Now())
	if err := problem.Refuse(in.Body.CheckForm(today)...); err != nil {
		return nil, err
	}
	if err := s.takeLimit(ctx, "request"); err != nil {
		return nil, err
	}
	m, err := s.validate(ctx, in.Body, today)
	if err != nil {
		return nil, err
	}
	email, err := s.email(ctx)
	if err != nil {
		return nil, err
	}
	data, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	to := recipient{email, module.ScopeOf(ctx).Locale}
	err = s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		c, err := tx.File(ctx, module.Change{Kind: kindMove, Key: m.Agreement, Effective: m.Start, Data: data})
		if err != nil {
			return err
		}
		if err := insertMove(ctx, tx, rows, c, m, to.Locale, in.Key, digest); err != nil {
			return err
		}
		if err := module.Publish(ctx, tx, moveapi.EventRequested, c.ID, moveapi.Requested{Relation: c.Relation, Move: m.event()}); err != nil {
			return err
		}
		return to.mail(ctx, tx, mailRequested, m, "")
	})
	if errors.Is(err, problem.ErrPending) { // perhaps a concurrent call with the same request
		if sent, err := alreadyFiled(ctx, s.host.DB, rows, in.Key, digest); err != nil || sent {
			return nil, err
		}
	}
	return nil, err
}

// validate checks a request against agreements, register and connections, and returns the move to file. It does not check the form.
func (s *service) validate(ctx context.Context, r Request, today value.Day) (m Move, err error) {
	agreements, err := s.agreements(ctx)
	if err != nil {
		return m, err
	}
	from, field, code := Choose(agreements, r.Agreement, r.Old.Key())
	if from == nil {
		return m, problem.Refuse(problem.FieldError{Field: field, Code: code})
	}
	to, at, err := s.newAddress(ctx, r.New)
	unchecked := errors.Is(err, ErrDown)
	switch {
	case unchecked: // 4-addr-lookup-down
		problem.Observe(ctx, err)
		var fieldErrors []problem.FieldError
		if to == nil {
			manual, w := CheckManual(r.New.Address())
			to, fieldErrors = &manual, w
		}
		if err := problem.Refuse(fieldErrors...); err != nil {
			return m, err
		}
	case err != nil:
		return m, err
	}
	codes := CheckNewAddress(to.Key(), agreements)
	m = r.Move(*from, *to, unchecked, today)
	if codes == nil && !unchecked {
		codes = CheckConnections(EANsOf(at), m.Commodities)
	}
	for _, code := range codes {
		return m, problem.Refuse(problem.FieldError{Field: "new_address", Code: code})
	}
	return m, nil
}

// newAddress returns the new address from the register, and its connections. If only the connections cannot be determined, it returns the
// address and ErrDown.
func (s *service) newAddress(ctx context.Context, n NewAddress) (*Address, []Connection, error) {
	a, alternatives, err := s.find(ctx, n.ZipCode, string(n.Number), n.Extension)
	var refused []problem.FieldError
	switch {
	case errors.Is(err, error(errUnknown)):
		refused = []problem.FieldError{{Field: "new_address.zip_code", Code: codeAddressUnknown},
			{Field: "new_address.house_number", Code: codeAddressUnknown}}
		if n.Extension != nil && *n.Extension != "" {
			refused = append(refused, problem.FieldError{Field: "new_address.house_number_extension", Code: codeAddressUnknown})
		}
	case err != nil:
		return nil, nil, err
	case len(alternatives) > 0:
		refused = []problem.FieldError{{Field: "new_address.house_number_extension", Code: codeMultipleAddresses}}
	}
	if err := problem.Refuse(refused...); err != nil {
		return nil, nil, err
	}
	at, err := s.connections(ctx, *a)
	return a, at, err
}

// digestOf returns a hash of a request, to detect another request with the same idempotency key.
func digestOf(r Request) (string, error) {
	data, err := json.Marshal(r)
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:]), err
}

var errKeyReused = problem.Fail(http.StatusUnprocessableEntity, codeKeyReused)
