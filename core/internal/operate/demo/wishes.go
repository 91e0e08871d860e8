package demo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
)

const wishesFile = "wishes.json" // changes of people without a login

// wish is a pending change of an applicant, who cannot have filed it by a call.
type wish struct {
	Module string         `json:"module"`
	Kind   string         `json:"kind"`
	Key    string         `json:"key"`
	Data   map[string]any `json:"data"`
}

// wishes files the pending changes, each once. One that is pending already stays as it is.
func (s *Service) wishes(ctx context.Context, l *label.Label, before parts) (done []part, err error) {
	text, err := os.ReadFile(filepath.Join(l.Dir, "demo", wishesFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var all []wish
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", wishesFile, err)
	}
	texts := s.texts(l)
	for _, w := range all {
		entry, _ := json.Marshal(w) // it was decoded from JSON
		name, sum := "wish "+w.Key, sum(entry)
		if _, on := l.Modules[w.Module]; !on || !before.isNew(name, sum) {
			continue
		}
		data, err := texts.Value(w.Data)
		if err != nil {
			return done, fmt.Errorf("%s: %w", wishesFile, err)
		}
		document, _ := json.Marshal(data) // it was decoded from JSON
		err = s.File(ctx, l.Key, w.Module, module.Change{Kind: w.Kind, Key: w.Key, Data: document})
		if err != nil && !errors.Is(err, problem.ErrPending) {
			return done, fmt.Errorf("%s: %s: %w", wishesFile, w.Key, err)
		}
		done = append(done, s.part(l, name, sum))
	}
	return done, nil
}
