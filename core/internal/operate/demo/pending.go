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

const pendingFile = "pending.json" // changes of people without a login

// pendingChange is a pending change of an applicant, who cannot file it with a call.
type pendingChange struct {
	Module string         `json:"module"`
	Kind   string         `json:"kind"`
	Key    string         `json:"key"`
	Data   map[string]any `json:"data"`
}

// pendingChanges files the pending changes, each once. A change that is already pending is left as it is.
func (s *Service) pendingChanges(ctx context.Context, l *label.Label, before parts) (done []part, err error) {
	text, err := os.ReadFile(filepath.Join(l.Dir, "demo", pendingFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var all []pendingChange
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", pendingFile, err)
	}
	texts := s.texts(l)
	for _, w := range all {
		entry, _ := json.Marshal(w) // never fails: the value comes from JSON
		name, sum := "pending change "+w.Key, sum(entry)
		if _, on := l.Modules[w.Module]; !on || !before.isNew(name, sum) {
			continue
		}
		data, err := texts.Value(w.Data)
		if err != nil {
			return done, fmt.Errorf("%s: %w", pendingFile, err)
		}
		document, _ := json.Marshal(data) // never fails: the value comes from JSON
		err = s.File(ctx, l.Key, w.Module, module.Change{Kind: w.Kind, Key: w.Key, Data: document})
		if err != nil && !errors.Is(err, problem.ErrPending) {
			return done, fmt.Errorf("%s: %s: %w", pendingFile, w.Key, err)
		}
		done = append(done, s.part(l, name, sum))
	}
	return done, nil
}
