package store

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/fault"
)

const (
	lookInterval = 500 * time.Millisecond
	probeTimeout = 2 * time.Second
)

// State is what the store knows of its database without asking it now. Kind is fault.None while everything works, fault.Away while
// the database does not answer, and fault.ReadOnly or fault.Full while it answers but takes no writes.
type State struct {
	Kind  fault.Kind
	Since time.Time // when it was first seen; zero while everything works
}

// state is kept by the watch and by transactions that fail.
type state struct {
	mu     sync.Mutex
	away   bool       // the last look failed
	writes fault.Kind // ReadOnly or Full since a write failed, until a probe succeeds
	since  time.Time

	life context.Context
	end  context.CancelFunc
	done sync.WaitGroup
}

// State returns what is known of the database, at most a few seconds old.
func (s *Store) State() State {
	st := &s.state
	st.mu.Lock()
	defer st.mu.Unlock()
	switch {
	case st.away:
		return State{fault.Down, st.since}
	case st.writes != fault.None:
		return State{st.writes, st.since}
	}
	return State{}
}

func (st *state) set(away bool, writes fault.Kind) {
	st.mu.Lock()
	defer st.mu.Unlock()
	if away == st.away && writes == st.writes {
		return
	}
	st.away, st.writes, st.since = away, writes, time.Now()
}

func (st *state) get() (away bool, writes fault.Kind) {
	st.mu.Lock()
	defer st.mu.Unlock()
	return st.away, st.writes
}

// wrote notes how a transaction ended.
func (s *Store) wrote(err error) {
	k := fault.Of(err)
	if k != fault.ReadOnly && k != fault.Full {
		return
	}
	away, _ := s.state.get()
	s.state.set(away, k)
	if k == fault.ReadOnly && s.links != nil {
		s.links.condemn() // after a failover the old server may live on as a standby: new connections find the new one
	}
}

// look keeps the state up to date until the store closes, and then calls ended.
func (s *Store) look(once func(context.Context) (readOnly bool, err error), ended func()) {
	st := &s.state
	st.life, st.end = context.WithCancel(context.Background())
	st.done.Go(func() {
		defer ended()
		tick := time.NewTicker(lookInterval)
		defer tick.Stop()
		for {
			readOnly, err := once(st.life)
			if st.life.Err() != nil {
				return
			}
			if s.links != nil {
				s.links.away.Store(err != nil)
			}
			_, writes := st.get()
			switch {
			case err != nil:
			case readOnly:
				writes = fault.ReadOnly
			case writes != fault.None:
				if k := s.probe(st.life); k != fault.Busy { // a writer that is only busy says nothing
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

// probe tries whether the database takes a write that needs space, and leaves nothing behind.
func (s *Store) probe(ctx context.Context) fault.Kind {
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	err := s.write.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		if s.engine == Postgres { // extends a file at once, so that nothing need be kept
			_, err := tx.ExecContext(ctx, "CREATE TABLE wattle_probe AS SELECT string_agg(md5(i::text), '') AS data FROM generate_series(1, 4096) AS i")
			return errors.Join(err, errProbed)
		}
		// The pages reach the disk at the commit only.
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
