package ledger

import (
	"context"
	"fmt"
	"time"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/value"
)

// Only the functions below change balances. Each accepts any number of movements and writes all of them or none: it returns ErrShares
// (409) when a participation has too few shares to take. They lock the participations in the order of their ids; the caller locks offers
// and orders first. now is the time of the entries, and the scope of ctx is their actor.

// Grant is a number of shares that a participation gets, or loses when it is negative, from a day on.
type Grant struct {
	Participation string
	Shares        int64
	From          value.Day // zero: the day on which the entry is written
}

// Issue records the first known shares of participations, oldest grant first: the first grant of each is issued, and later ones correct
// it. It returns an error for a participation that has entries. ref is the source of the grants.
func Issue(ctx context.Context, tx module.Tx, now time.Time, ref string, grants ...Grant) error {
	issued := map[string]bool{}
	return write(ctx, tx, now, grants, func(g Grant) ([]posting, error) {
		kind := Issued
		if issued[g.Participation] {
			kind = Corrected
		}
		issued[g.Participation] = true
		return []posting{{Participation: g.Participation, Kind: kind, Balance: Balance{Share: g.Shares}, Ref: ref, Effective: g.From}}, nil
	})
}

// Correct records that participations have more or fewer shares than before.
func Correct(ctx context.Context, tx module.Tx, now time.Time, ref string, grants ...Grant) error {
	return write(ctx, tx, now, grants, func(g Grant) ([]posting, error) {
		return []posting{{Participation: g.Participation, Kind: Corrected, Balance: Balance{Share: g.Shares}, Ref: ref, Effective: g.From}}, nil
	})
}

// Lot is a number of shares, at least one, that stay in their participation and change between free, offered, reserved, held and moving.
type Lot struct {
	Participation string
	Shares        int64
	Ref           string       // id of the offer, order or move
	Reason        string       // a code, or text written by staff
	By            module.Scope // actor; the scope of ctx if it has no label. One call may include orders of several buyers
}

// entry returns the posting of a lot.
func (l Lot) entry(kind Kind, adds Balance) ([]posting, error) {
	if l.Shares < 1 {
		return nil, fmt.Errorf("marketplace: %s of %d shares", kind, l.Shares)
	}
	return []posting{{Participation: l.Participation, Kind: kind, Balance: adds, Ref: l.Ref, Reason: l.Reason, By: l.By}}, nil
}

// Offer changes free shares to offered.
func Offer(ctx context.Context, tx module.Tx, now time.Time, lots ...Lot) error {
	return write(ctx, tx, now, lots, func(l Lot) ([]posting, error) { return l.entry(Offered, Balance{Offered: l.Shares}) })
}

// Retract changes offered shares to free: the owner retracted them, or the offer was rejected or revoked.
func Retract(ctx context.Context, tx module.Tx, now time.Time, lots ...Lot) error {
	return write(ctx, tx, now, lots, func(l Lot) ([]posting, error) { return l.entry(Retracted, Balance{Offered: -l.Shares}) })
}

// Reserve changes offered shares to reserved, for orders that wait for payment.
func Reserve(ctx context.Context, tx module.Tx, now time.Time, lots ...Lot) error {
	return write(ctx, tx, now, lots, func(l Lot) ([]posting, error) {
		return l.entry(Reserved, Balance{Offered: -l.Shares, Reserved: l.Shares})
	})
}

// Release changes the reserved shares of cancelled orders back to offered.
func Release(ctx context.Context, tx module.Tx, now time.Time, lots ...Lot) error {
	return write(ctx, tx, now, lots, func(l Lot) ([]posting, error) {
		return l.entry(Released, Balance{Reserved: -l.Shares, Offered: l.Shares})
	})
}

// Expire changes the reserved shares of orders that were not paid in time back to offered.
func Expire(ctx context.Context, tx module.Tx, now time.Time, lots ...Lot) error {
	return write(ctx, tx, now, lots, func(l Lot) ([]posting, error) {
		return l.entry(Expired, Balance{Reserved: -l.Shares, Offered: l.Shares})
	})
}

// Sell changes the reserved shares of paid orders to held, until their transfer date.
func Sell(ctx context.Context, tx module.Tx, now time.Time, lots ...Lot) error {
	return write(ctx, tx, now, lots, func(l Lot) ([]posting, error) {
		return l.entry(Sold, Balance{Reserved: -l.Shares, Held: l.Shares})
	})
}

// UndoneLot is a lot of a paid order that is undone. Its shares are offered again if their offer is still open, and free otherwise.
type UndoneLot struct {
	Lot
	Open bool
}

// Return returns the held shares of undone orders to their sellers.
func Return(ctx context.Context, tx module.Tx, now time.Time, lots ...UndoneLot) error {
	return write(ctx, tx, now, lots, func(u UndoneLot) ([]posting, error) {
		adds := Balance{Held: -u.Shares}
		if u.Open {
			adds.Offered = u.Shares
		}
		return u.entry(Returned, adds)
	})
}

// Handover is a number of shares, at least one, that move from one participation to another on a day.
type Handover struct {
	From, To string
	Shares   int64
	Ref      string // id of the offer, order or move
	On       value.Day
}

// entries returns the postings of a handover: one participation loses what the other gets.
func (h Handover) entries(out, in Kind, part Balance) ([]posting, error) {
	if h.Shares < 1 {
		return nil, fmt.Errorf("marketplace: %s of %d shares", out, h.Shares)
	}
	return []posting{
		{Participation: h.From, Kind: out, Balance: part.Plus(Balance{Share: -h.Shares}), Ref: h.Ref, Counter: h.To, Effective: h.On},
		{Participation: h.To, Kind: in, Balance: Balance{Share: h.Shares}, Ref: h.Ref, Counter: h.From, Effective: h.On},
	}, nil
}

// TransferHeld transfers the held shares of paid orders to their buyers.
func TransferHeld(ctx context.Context, tx module.Tx, now time.Time, all ...Handover) error {
	return write(ctx, tx, now, all, func(h Handover) ([]posting, error) {
		return h.entries(TransferredOut, TransferredIn, Balance{Held: -h.Shares})
	})
}

// TransferOffered transfers offered shares to another member without an order.
func TransferOffered(ctx context.Context, tx module.Tx, now time.Time, all ...Handover) error {
	return write(ctx, tx, now, all, func(h Handover) ([]posting, error) {
		return h.entries(TransferredOut, TransferredIn, Balance{Offered: -h.Shares})
	})
}

// MoveFree moves free shares to another participation of the same relation.
func MoveFree(ctx context.Context, tx module.Tx, now time.Time, all ...Handover) error {
	return write(ctx, tx, now, all, func(h Handover) ([]posting, error) { return h.entries(MovedOut, MovedIn, Balance{}) })
}

// PlanMove changes free shares to moving, for a move on a later day. To may be empty until then.
func PlanMove(ctx context.Context, tx module.Tx, now time.Time, all ...Handover) error {
	return write(ctx, tx, now, all, func(h Handover) ([]posting, error) {
		planned, err := Lot{Participation: h.From, Shares: h.Shares, Ref: h.Ref}.entry(MovePlanned, Balance{Moving: h.Shares})
		for i := range planned {
			planned[i].Effective = h.On
		}
		return planned, err
	})
}

// CancelMove changes the shares of planned moves back to free.
func CancelMove(ctx context.Context, tx module.Tx, now time.Time, lots ...Lot) error {
	return write(ctx, tx, now, lots, func(l Lot) ([]posting, error) { return l.entry(MoveCancelled, Balance{Moving: -l.Shares}) })
}

// MakeMove transfers the shares of planned moves.
func MakeMove(ctx context.Context, tx module.Tx, now time.Time, all ...Handover) error {
	return write(ctx, tx, now, all, func(h Handover) ([]posting, error) {
		return h.entries(MovedOut, MovedIn, Balance{Moving: -h.Shares})
	})
}

// write writes the postings of all movements together.
func write[M any](ctx context.Context, tx module.Tx, now time.Time, movements []M, entries func(M) ([]posting, error)) error {
	var postings []posting
	for _, m := range movements {
		made, err := entries(m)
		if err != nil {
			return err
		}
		postings = append(postings, made...)
	}
	return post(ctx, tx, now, postings...)
}
