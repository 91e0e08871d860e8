package label

import "context"

// Store holds the labels of a folder and keeps them live. It is a Source.
type Store struct{}

var _ Source = (*Store)(nil)

// Open compiles every label of the folder. A broken label is a Problem, not an error; an error is a folder that cannot be read or
// a fragment that cannot be compiled. fragments is asked again by Reload.
func Open(dir string, fragments func() []Fragment) (*Store, error) { return &Store{}, nil }

// Watch keeps the labels live until the context ends.
func (s *Store) Watch(ctx context.Context) {}

// Reload compiles every label again, because the modules changed. On an error the labels stay as they were.
func (s *Store) Reload() error { return nil }

// Problems lists what is wrong with labels as they are on disk now, ordered by file and line.
func (s *Store) Problems() []Problem { return nil }

// OnChange calls f after every change of the labels or of the problems, never two at a time.
func (s *Store) OnChange(f func()) {}

// ByHost returns the label that owns the host, or nil.
func (s *Store) ByHost(host string) *Label { return nil }

// ByKey returns the label with the key, or nil.
func (s *Store) ByKey(key string) *Label { return nil }

// All lists the labels, ordered by key. The slice is shared: read it only.
func (s *Store) All() []*Label { return nil }
