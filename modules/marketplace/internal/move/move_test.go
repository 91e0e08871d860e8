package move

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/ledger"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/participation"
)

const ruleVectors = "../../../../schemas/rules/"

func TestMoveForm(t *testing.T) {
	type settings struct{ Share int64 }
	for _, row := range []string{"5.8-required", "5.8-existing-address", "5.8-new-address", "5.8-shares-range", "5.8-date-min",
		"3-move-shares-address-type"} {
		t.Run(row, func(t *testing.T) {
			moduletest.RunCases(t, ruleVectors+row+".json", func(input MoveForm, today value.Day, s settings) []problem.FieldError {
				return append([]problem.FieldError{}, input.Check(today, s.Share)...)
			})
		})
	}
	t.Run("5.8-shares-offered-reconcile", func(t *testing.T) {
		type given struct {
			Share   int64 `json:"share"`
			Offered int64 `json:"offered_share"`
			Moving  int64 `json:"moving_share"`
			Shares  int64 `json:"number_of_shares"`
		}
		moduletest.RunCases(t, ruleVectors+"5.8-shares-offered-reconcile.json", func(g given, _ value.Day, _ struct{}) []string {
			if code := CheckLeft(ledger.Balance{Share: g.Share, Offered: g.Offered, Moving: g.Moving}, g.Shares); code != "" {
				return []string{code}
			}
			return []string{}
		})
	})
}

func TestMoveRequest(t *testing.T) {
	today := value.Day{Year: 2026, Month: 11, Day: 20}
	own := map[string]ledger.Participation{
		"P-1": {ID: "1", ParticipationIdentifier: "P-1", ProjectCode: "WP", AddressKey: "9731AB-7-", Balance: ledger.Balance{Share: 20}},
		"P-2": {ID: "2", ParticipationIdentifier: "P-2", ProjectCode: "WP", AddressKey: "9861GT-18-", Balance: ledger.Balance{Share: 1}},
		"P-3": {ID: "3", ParticipationIdentifier: "P-3", ProjectCode: "ZON", AddressKey: "9861GT-18-", Balance: ledger.Balance{Share: 1}},
	}
	number := func(n float64) *float64 { return &n }
	home := &participation.Address{StreetName: "Molenweg", HouseNumber: "18", PostalCode: "9861 gt", City: "Grootegast"}
	check := func(date string, items ...MoveItem) []problem.FieldError {
		return MoveRequest{Date: date, Items: items}.Check(today, own)
	}
	fieldErrors := func(pairs ...string) (out []problem.FieldError) {
		for i := 0; i < len(pairs); i += 2 {
			out = append(out, problem.FieldError{Field: pairs[i], Code: "marketplace." + pairs[i+1]})
		}
		return out
	}
	assert.Empty(t, check("2026-11-20", MoveItem{"P-1", number(20), "P-2", nil}, MoveItem{"P-1", number(1), "", home}))
	assert.Equal(t, fieldErrors("items", "required"), check("2026-11-20"))
	assert.Equal(t, fieldErrors("items", "invalid_input"), check("2026-11-20", make([]MoveItem, 51)...))
	assert.NotContains(t, check("2026-11-20", make([]MoveItem, 50)...), fieldErrors("items", "invalid_input")[0])
	assert.Equal(t, fieldErrors("date", "date_past"), check("2026-11-19", MoveItem{"P-1", number(1), "P-2", nil}), "once, not for each item")
	assert.Equal(t, fieldErrors("date", "date_invalid"), check("20-11-2026", MoveItem{"P-1", number(1), "P-2", nil}))
	assert.Equal(t, fieldErrors("date", "required", "items.0.participationIdentifier", "required", "items.0.shares", "required", "items.0.address",
		"required"), check("", MoveItem{}))
	assert.Equal(t, fieldErrors("items.1.participationIdentifier", "participation_unknown"),
		check("2026-11-20", MoveItem{"P-1", number(1), "P-2", nil}, MoveItem{"P-9", number(1), "P-2", nil}))
	assert.Equal(t, fieldErrors("items.0.shares", "invalid_input"), check("2026-11-20", MoveItem{"P-1", number(21), "P-2", nil}))
	assert.Equal(t, fieldErrors("items.0.toParticipationIdentifier", "participation_unknown"),
		check("2026-11-20", MoveItem{"P-1", number(1), "P-9", nil}))
	assert.Equal(t, fieldErrors("items.0.toParticipationIdentifier", "participation_unknown"),
		check("2026-11-20", MoveItem{"P-1", number(1), "P-3", nil}), "of another project")
	assert.Equal(t, fieldErrors("items.0.toParticipationIdentifier", "same_address"), check("2026-11-20", MoveItem{"P-1", number(1), "P-1", nil}))
	assert.Equal(t, fieldErrors("items.0.address", "same_address"), check("2026-11-20", MoveItem{"P-2", number(1), "", home}))
	assert.Equal(t, fieldErrors("items.0.address", "invalid_input"), check("2026-11-20", MoveItem{"P-1", number(1), "P-2", home}),
		"one or the other")
	assert.Equal(t, fieldErrors("items.0.address.postal_code", "required", "items.0.address.street_name", "required"),
		check("2026-11-20", MoveItem{"P-1", number(1), "", &participation.Address{HouseNumber: "18", City: "Grootegast"}}))
}
