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
	"github.com/wattle-portal/wattle/modules/usage/internal/history"
	"github.com/wattle-portal/wattle/modules/usage/internal/interval"
	"github.com/wattle-portal/wattle/modules/usage/usageapi"
)

// publishJob publishes the event for the next step of a retrieval, due now or later, or the event that reports that the retrieval has
// ended.
func publishJob(ctx context.Context, tx module.Tx, j history.Job, due time.Time) error {
	advanced := usageapi.RetrievalAdvanced{Relation: j.RelationID, Agreement: j.Agreement, Number: j.Number, Step: j.Done}
	kind, content := usageapi.EventRetrievalAdvanced, any(advanced)
	if j.State == history.Done || j.State == history.Failed {
		kind = usageapi.EventRetrievalFinished
		content = usageapi.RetrievalFinished{RetrievalAdvanced: advanced, State: string(j.State), Until: j.Reach, Code: j.Code}
	}
	data, err := json.Marshal(content)
	if err != nil {
		return err
	}
	key := value.StableID(j.RelationID, j.Agreement, strconv.Itoa(j.Number))
	return tx.Publish(ctx, module.Event{Type: kind, Key: key, Due: due, Data: data})
}

// Handle runs one step of a retrieval: it fetches a few months of one connection, merges them into the stored days and publishes the event
// for the next step. All state is stored, so a restart loses nothing; a repeated event does nothing.
func (s *service) Handle(ctx context.Context, e module.Event) error {
	if e.Type != usageapi.EventRetrievalAdvanced {
		return fmt.Errorf("usage: unexpected event %s", e.Type)
	}
	var event usageapi.RetrievalAdvanced
	if err := json.Unmarshal(e.Data, &event); err != nil {
		return fmt.Errorf("usage: data of event %s: %w", e.ID, err)
	}
	rows := module.Label(ctx, "a job retrieves the history of any relation")
	j, err := history.LatestJob(ctx, s.host.DB, rows, event.Relation, event.Agreement, false)
	if err != nil || j == nil || j.Number != event.Number || j.Done != event.Step || !j.Active() {
		return err
	}
	ean, part := j.Step(j.Done)
	a, err := s.accessOf(ctx, rows, j.RelationID)
	if err != nil {
		return err
	}
	after, due := *j, time.Time{}
	var incoming map[interval.Key]interval.Profile
	if !a.CanRetrieve(ean) { // the consent was revoked after the request
		after.Fail(history.CodeConsentNeeded, false, s.now())
	} else if days, err := s.source.Days(ctx, ean, part.From, part.Until); err != nil {
		if errors.Is(err, context.Canceled) {
			return fmt.Errorf("%w: %w", problem.ErrRetry, err)
		}
		s.host.Log.WarnContext(ctx, "the source of meter data failed", "agreement", j.Agreement, "step", j.Done, "error", err)
		due, _ = after.Fail(history.CodeSource, true, s.now())
	} else {
		incoming = make(map[interval.Key]interval.Profile, len(days))
		var reach value.Day
		for _, d := range days {
			incoming[interval.Key{EANCode: ean, Day: d.Day}] = d.Profile
			if d.Day.After(reach) {
				reach = d.Day
			}
		}
		after.Advance(reach, s.now())
	}
	return s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		if first, err := tx.Once(ctx, e); err != nil || !first {
			return err
		}
		if ok, err := history.UpdateJob(ctx, tx, after, j.Done); err != nil || !ok {
			return err
		}
		if _, err := interval.Merge(ctx, tx, incoming); err != nil {
			return err
		}
		return publishJob(ctx, tx, after, due)
	})
}

// now returns the current time with the precision of the database.
func (s *service) now() time.Time { return s.host.Now().UTC().Truncate(time.Microsecond) }
