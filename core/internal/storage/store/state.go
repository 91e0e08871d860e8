package store

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/storage/fault"
)

const (
	checkInterval = 500 * time.Millisecond
	probeTimeout  = 2 * time.Second
)

// State is the last known state of the database. Kind is fault.None while everything works, fault.Down while the database does not respond,
// and fault.ReadOnly or fault.Full while it responds but does not accept writes.
type State struct {
	Kind  fault.Kind
	Since time.Time // when the state was first seen; zero while everything works
}

// state is updated by the watch and by failed transactions.
type state struct {
	mu          sync.Mutex
	unreachable bool       // the last check failed
	writes      fault.Kind // ReadOnly or Full after a failed write, until a probe succeeds
	since       time.Time

	life context.Context
	end  context.CancelFunc
	done sync.WaitGroup
}

// State returns the state of the database, at most a few seconds old.
func (s *Store) State() State {
	st := &s.state
	st.mu.Lock()
	defer st.mu.Unlock()
	switch {
	case st.unreachable:
		return State{fault.Down, st.since}
	case st.writes != fault.None:
		return State{st.writes, st.since}
	}
	return State{}
}

func (st *state) set(away bool, writes fault.Kind) {
	st.mu.Lock()
	defer st.mu.Unlock()
	if away == st.unreachable && writes == st.writes {
		return
	}
	st.unreachable, st.writes, st.since = away, writes, time.Now()
}

func (st *state) get() (away bool, writes fault.Kind) {
	st.mu.Lock()
	defer st.mu.Unlock()
	return st.unreachable, st.writes
}

// recordWrite updates the state after a transaction that ended with err.
func (s *Store) recordWrite(err error) {
	k := fault.Of(err)
	if k != fault.ReadOnly && k != fault.Full {
		return
	}
	away, _ := s.state.get()
	s.state.set(away, k)
	if k == fault.ReadOnly && s.links != nil {
		s.links.invalidate() // after a failover the old server may continue as a standby; new connections reach the new server
	}
}

// watchState keeps the state up to date by calling once repeatedly until the store closes, and then calls ended.
func (s *Store) watchState(once func(context.Context) (readOnly bool, err error), ended func()) {
	st := &s.state
	st.life, st.end = context.WithCancel(context.Background())
	st.done.Go(func() {
		defer ended()
		tick := time.NewTicker(checkInterval)
		defer tick.Stop()
		for {
			readOnly, err := once(st.life)
			if st.life.Err() != nil {
				return
			}
			if s.links != nil {
				s.links.unreachable.Store(err != nil)
			}
			_, writes := st.get()
			switch {
			case err != nil:
			case readOnly:
				writes = fault.ReadOnly
			case writes != fault.None:
				if k := s.probe(st.life); k != fault.Busy { // a busy writer does not show whether writes work
					writes = k
				}
			}
			st.set(err != nil, writes)
			select {
			case <-st.life.Done():
				return
			case <-tick.C:
			}
		}
	})
}

// probe checks whether the database accepts a write that needs space. It leaves no table behind.
func (s *Store) probe(ctx context.Context) fault.Kind {
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	err := s.write.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		if s.engine == Postgres { // PostgreSQL extends a file at once, so the table need not be committed
			_, err := tx.ExecContext(ctx, "CREATE TABLE wattle_probe AS SELECT string_agg(md5(i::text), '') AS data FROM generate_series(1, 4096) AS i")
			return errors.Join(err, errProbed)
		}
		// SQLite writes the pages to disk only at the commit.
		_, err := tx.ExecContext(ctx, "DROP TABLE IF EXISTS wattle_probe; CREATE TABLE wattle_probe AS SELECT randomblob(131072) AS data")
		return err
	})
	if err == nil {
		_, err = s.write.ExecContext(ctx, "DROP TABLE wattle_probe")
	}
	return fault.Of(err)
}

// errProbed rolls a probe back.
var errProbed = errors.New("probed")
