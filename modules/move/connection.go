package move

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
)

// Commodity is the form of energy of a connection.
type Commodity string

// Commodities are the valid values, in the order of lists.
var Commodities = []Commodity{electricity, gas}

const (
	electricity Commodity = "ELECTRICITY"
	gas         Commodity = "GAS"
)

// Connection is a connection at an address.
type Connection struct {
	EAN       string    `json:"ean_code"`
	Commodity Commodity `json:"commodity" enum:"ELECTRICITY,GAS"`
}

// EANs are the EAN codes at an address by commodity (3-address-lookup-eans-shape).
type EANs struct {
	Gas         []string `json:"GAS" nullable:"false" doc:"EAN codes of the gas connections"`
	Electricity []string `json:"ELECTRICITY" nullable:"false" doc:"EAN codes of the electricity connections"`
}

// EANsOf groups connections by commodity; each EAN occurs once.
func EANsOf(connections []Connection) EANs {
	out := EANs{Gas: []string{}, Electricity: []string{}}
	for _, c := range connections {
		switch c.Commodity {
		case gas:
			out.Gas = append(out.Gas, c.EAN)
		case electricity:
			out.Electricity = append(out.Electricity, c.EAN)
		}
	}
	for _, eans := range []*[]string{&out.Gas, &out.Electricity} {
		slices.Sort(*eans)
		*eans = slices.Compact(*eans)
	}
	return out
}

func (e EANs) byCommodity(c Commodity) []string {
	if c == gas {
		return e.Gas
	}
	return e.Electricity
}

// CommoditiesOf returns the distinct commodities of connections (3-move-commodities).
func CommoditiesOf(connections []Connection) []Commodity {
	out := []Commodity{}
	for _, c := range Commodities {
		if slices.ContainsFunc(connections, func(x Connection) bool { return x.Commodity == c }) {
			out = append(out, c)
		}
	}
	return out
}

// CheckConnections compares the connections at the new address with the commodities at the old one. An address with more than one
// connection of a commodity is refused online (2.2-offline-multi-connection). Otherwise the new address must have every commodity of the
// old one (4-move-connections-match).
func CheckConnections(at EANs, old []Commodity) []string {
	for _, c := range Commodities {
		if len(at.byCommodity(c)) > 1 {
			return []string{codeMultipleConnections}
		}
	}
	for _, c := range old {
		if len(at.byCommodity(c)) == 0 {
			return []string{codeDifferentConnections}
		}
	}
	return nil
}

// connectionsURL returns the URL of a request to the label's service.
func connectionsURL(base string, a Address) (string, error) {
	u, err := url.Parse(base)
	if err != nil {
		return "", err
	}
	q := u.Query()
	q.Set("zip_code", a.ZipCode)
	q.Set("house_number", string(a.Number))
	q.Set("house_number_extension", a.Extension)
	u.RawQuery = q.Encode()
	return u.String(), nil
}

// ean matches an EAN code of 18 digits (3-connection-fields).
var ean = regexp.MustCompile(`^[0-9]{18}$`)

// parseConnections parses the response of the label's service. It returns ErrDown for an invalid response, because that does not prove that
// the address has no connections.
func parseConnections(data []byte) ([]Connection, error) {
	var resp struct {
		Connections []Connection `json:"connections"`
	}
	if err := json.Unmarshal(data, &resp); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDown, err)
	}
	if resp.Connections == nil {
		return nil, fmt.Errorf("%w: no connections in the response", ErrDown)
	}
	for _, c := range resp.Connections {
		if !ean.MatchString(c.EAN) || !slices.Contains(Commodities, c.Commodity) {
			return nil, fmt.Errorf("%w: invalid connection", ErrDown)
		}
	}
	return resp.Connections, nil
}
