package move

import (
	"context"
	_ "embed" // addresses.json
	"encoding/json"
	"fmt"
	"sync"
)

//go:embed addresses.json
var addresses []byte

// embedded is both providers for the demo and for tests: a small file.
type embedded struct {
	at          map[Place][]Address
	connections map[string][]Connection // by Address.Key
	down        map[Place]bool
}

var (
	_ Register    = (*embedded)(nil)
	_ Connections = (*embedded)(nil)
)

// readEmbedded reads the file once.
var readEmbedded = sync.OnceValue(func() *embedded {
	var file []struct {
		Address
		Connections []Connection `json:"connections"`
		Down        bool         `json:"down"` // asking for this place fails, to show what then happens
	}
	if err := json.Unmarshal(addresses, &file); err != nil {
		panic(err) // a wrong file in this folder
	}
	e := &embedded{map[Place][]Address{}, map[string][]Connection{}, map[Place]bool{}}
	for _, f := range file {
		p, ok := PlaceOf(f.ZipCode, string(f.Number))
		if !ok {
			panic("move: addresses.json: " + f.Key())
		}
		e.connections[f.Key()] = f.Connections
		e.down[p] = e.down[p] || f.Down
		e.at[p] = distinct(append(e.at[p], f.Address))
	}
	return e
})

// At implements Register.
func (e *embedded) At(_ context.Context, p Place) ([]Address, error) {
	if e.down[p] {
		return nil, fmt.Errorf("%w: as addresses.json says", ErrDown)
	}
	return e.at[p], nil
}

// Of implements Connections.
func (e *embedded) Of(_ context.Context, a Address) ([]Connection, error) {
	return e.connections[a.Key()], nil
}
