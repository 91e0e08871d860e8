package address

import (
	"context"
	_ "embed" // addresses.json
	"encoding/json"
	"fmt"
	"sync"

	"github.com/wattle-portal/wattle/core/source"
)

//go:embed addresses.json
var addresses []byte

// embedded is a register for the demo and for tests: a small file.
type embedded struct {
	at   map[Place][]Address
	down map[Place]bool
}

var _ Register = (*embedded)(nil)

// readEmbedded reads the file once.
var readEmbedded = sync.OnceValue(func() *embedded {
	var file []struct {
		Address
		Down bool `json:"down"` // asking for this place fails, to show what then happens
	}
	if err := json.Unmarshal(addresses, &file); err != nil {
		panic(err) // a wrong file in this folder
	}
	e := &embedded{map[Place][]Address{}, map[Place]bool{}}
	for _, f := range file {
		p, ok := PlaceOf(f.ZipCode, string(f.Number))
		if !ok {
			panic("address: addresses.json: " + f.ZipCode + " " + string(f.Number))
		}
		e.down[p] = e.down[p] || f.Down
		e.at[p] = distinct(append(e.at[p], f.Address))
	}
	return e
})

// At implements Register.
func (e *embedded) At(_ context.Context, p Place) ([]Address, error) {
	if e.down[p] {
		return nil, fmt.Errorf("%w: as addresses.json says", source.ErrDown)
	}
	return e.at[p], nil
}
