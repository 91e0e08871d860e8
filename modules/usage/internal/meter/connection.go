// Package meter contains the types that all packages of module usage share: amounts of energy, connections and the periods in which they
// are supplied, days and periods in the label's time zone, and common parts of records. It does not import other packages of the module.
package meter

import (
	"encoding/json"
	"regexp"
	"strconv"

	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
)

// Commodity is the form of energy of a connection (3-enum-commodity).
type Commodity string

// The commodities.
const (
	Gas         Commodity = "GAS"
	Electricity Commodity = "ELECTRICITY"
)

// Type is the type of a meter: smart meters can be read remotely (3-connection-meter-type).
type Type string

// Meter types.
const (
	Smart        Type = "SMART"
	Conventional Type = "CONVENTIONAL"
)

// Unit is a unit of the energy market (3-enum-unit). Amounts of this module are in KWH or M3N; KWT and MTQ occur only in records about
// capacity.
type Unit string

// Units.
const (
	KWH Unit = "KWH" // kilowatt-hour
	KWT Unit = "KWT" // kilowatt
	MTQ Unit = "MTQ" // cubic meter as measured
	M3N Unit = "M3N" // normal cubic meter
)

// UnitOf returns the unit of a commodity (3-unit-per-commodity).
func UnitOf(c Commodity) Unit {
	if c == Gas {
		return M3N
	}
	return KWH
}

// Connection is a grid connection through which a relation is supplied (3-connection-fields).
type Connection struct {
	Commodity           Commodity       `json:"commodity" enum:"GAS,ELECTRICITY" doc:"What is supplied over the connection"`
	EANCode             string          `json:"ean_code" bun:"ean_code,pk" doc:"EAN code of the connection, 18 digits"`
	EANGroupNumber      string          `json:"ean_group_number" bun:"ean_group_number" doc:"Number of the group of the connection in the back office; empty: none"`
	LocationID          string          `json:"location_id" bun:"location_id" doc:"Id of the location in the back office"`
	MeterType           Type            `json:"meter_type" enum:"SMART,CONVENTIONAL" doc:"SMART: a smart meter that is read remotely; CONVENTIONAL: any other"`
	MeterNumber         string          `json:"meter_number" doc:"Number of the current meter"`
	Capacity            string          `json:"capacity" doc:"Capacity of the connection, as the back office writes it, such as 3x25A or G4"`
	Address             Address         `json:"address" doc:"Address of the connection"`
	AgreementIdentifier string          `json:"agreement_identifier" doc:"Id of the agreement that supplies the connection"`
	Delivery            map[string]bool `json:"delivery" nullable:"false" doc:"Agreements of the connection by id; true: an agreement for feed-in"`
}

// Address is the address of a connection. In records, the house number may be a JSON number.
type Address struct {
	Street               string `json:"street" doc:"Name of the street"`
	HouseNumber          string `json:"house_number" doc:"House number without its extension"`
	HouseNumberExtension string `json:"house_number_extension" doc:"House number extension; empty: none"`
	ZipCode              string `json:"zip_code" doc:"Postal code, such as 1234AB"`
	City                 string `json:"city" doc:"Name of the city"`
}

// UnmarshalJSON implements json.Unmarshaler.
func (a *Address) UnmarshalJSON(b []byte) error {
	type plain Address
	x := struct {
		*plain
		HouseNumber any `json:"house_number"`
	}{plain: (*plain)(a)}
	if err := json.Unmarshal(b, &x); err != nil {
		return err
	}
	switch n := x.HouseNumber.(type) {
	case string:
		a.HouseNumber = n
	case float64:
		a.HouseNumber = strconv.FormatFloat(n, 'f', -1, 64)
	}
	return nil
}

// RelationID returns the id that module account assigns to the relation with a debtor number.
func RelationID(labelKey, debtorNumber string) string {
	return value.StableID(labelKey, "relation", debtorNumber)
}

// eanPattern matches an EAN code of a connection.
var eanPattern = regexp.MustCompile(`^[0-9]{18}$`)

// Check validates a connection before it is stored. It returns the invalid field and the problem code.
func (c *Connection) Check() (field, code string) {
	switch {
	case c.EANCode == "":
		return "ean_code", problem.CodeRequired
	case !eanPattern.MatchString(c.EANCode):
		return "ean_code", codeEAN
	case c.Commodity != Gas && c.Commodity != Electricity:
		return "commodity", problem.CodeInvalid
	case c.MeterType != Smart && c.MeterType != Conventional:
		return "meter_type", problem.CodeInvalid
	}
	return "", ""
}

// BelongsTo reports whether the connection belongs to an agreement (3-connection-delivery).
func (c *Connection) BelongsTo(a Agreement) bool {
	for _, name := range []string{a.Identifier, a.WithSequence} {
		if name == "" {
			continue
		}
		if _, delivers := c.Delivery[name]; delivers || c.AgreementIdentifier == name {
			return true
		}
	}
	return a.supplies(c.EANCode)
}
