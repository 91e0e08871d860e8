package usage

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/usage/usageapi"
)

// publishJob sets the next step of a retrieval going, now or when it is due, or publishes that the retrieval has ended.
func publishJob(ctx context.Context, tx module.Tx, j job, due time.Time) error {
	advanced := usageapi.RetrievalAdvanced{Relation: j.RelationID, Agreement: j.Agreement, Number: j.Number, Step: j.Done}
	kind, told := usageapi.EventRetrievalAdvanced, any(advanced)
	if j.State == Done || j.State == Failed {
		kind = usageapi.EventRetrievalFinished
		told = usageapi.RetrievalFinished{RetrievalAdvanced: advanced, State: string(j.State), Until: j.Reach, Code: j.Code}
	}
	data, err := json.Marshal(told)
	if err != nil {
		return err
	}
	key := value.StableID(j.RelationID, j.Agreement, strconv.Itoa(j.Number))
	return tx.Publish(ctx, module.Event{Type: kind, Key: key, Due: due, Data: data})
}

// Handle takes one step of a retrieval: it fetches a few months of one connection, lays them over what is stored and sets the next
// step going. Everything that it must know is stored, so a restart loses nothing; a step that was done is not done again.
func (s *service) Handle(ctx context.Context, e module.Event) error {
	if e.Type != usageapi.EventRetrievalAdvanced {
		return fmt.Errorf("usage: does not handle %s", e.Type)
	}
	var told usageapi.RetrievalAdvanced
	if err := json.Unmarshal(e.Data, &told); err != nil {
		return fmt.Errorf("usage: data of event %s: %w", e.ID, err)
	}
	rows := module.Label(ctx, "a job retrieves the history of a customer who is not the caller")
	j, err := latestJob(ctx, s.host.DB, rows, told.Relation, told.Agreement, false)
	if err != nil || j == nil || j.Number != told.Number || j.Done != told.Step || !j.active() {
		return err
	}
	ean, part := j.step(j.Done)
	a, err := s.accessOf(ctx, rows, j.RelationID)
	if err != nil {
		return err
	}
	after, due := *j, time.Time{}
	var incoming map[dayKey]Profile
	if !a.consents[ean].Given && a.basis != ByContract { // revoked since it was asked for
		after.fail(codeConsentNeeded, false, s.now())
	} else if days, err := s.source.Days(ctx, ean, part.from, part.until); err != nil {
		if errors.Is(err, context.Canceled) {
			return fmt.Errorf("%w: %w", problem.ErrRetry, err)
		}
		s.host.Log.WarnContext(ctx, "the source of meter data failed", "agreement", j.Agreement, "step", j.Done, "err", err)
		due, _ = after.fail(codeSource, true, s.now())
	} else {
		incoming = make(map[dayKey]Profile, len(days))
		var reach value.Day
		for _, d := range days {
			incoming[dayKey{ean, d.day}] = d.profile
			if d.day.After(reach) {
				reach = d.day
			}
		}
		after.advance(reach, s.now())
	}
	return s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		if first, err := tx.Once(ctx, e); err != nil || !first {
			return err
		}
		if ok, err := saveJob(ctx, tx, after, j.Done); err != nil || !ok {
			return err
		}
		if _, err := mergeDays(ctx, tx, incoming); err != nil {
			return err
		}
		return publishJob(ctx, tx, after, due)
	})
}

// now is the clock as the database keeps it.
func (s *service) now() time.Time { return s.host.Now().UTC().Truncate(time.Microsecond) }
