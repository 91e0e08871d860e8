// Package records_test tests imports with all modules: what is stored from the files of other systems.
package records_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/operate/app/apptest"
	"github.com/wattle-portal/wattle/core/internal/records/imports"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
	"github.com/wattle-portal/wattle/modules"
	"github.com/wattle-portal/wattle/test/fixture"
)

const (
	power = "871687120000000011"
	gas   = "871687120000000028"
)

var connections = fmt.Sprintf(`{"debtor_number":"1","ean_code":%q,"commodity":"ELECTRICITY","meter_type":"SMART"}`+"\n"+
	`{"debtor_number":"1","ean_code":%q,"commodity":"GAS","meter_type":"SMART"}`+"\n", power, gas)

func file(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// portal starts a portal with two connections, and returns a function that imports a file.
func portal(t *testing.T, db *store.Config) (*apptest.Server, func(o imports.Options, path string) imports.Report) {
	t.Helper()
	s := apptest.Start(t, apptest.Options{Modules: modules.All, Store: db, Labels: []apptest.Label{{Key: "alpha"}}})
	target, order, err := s.Importer("alpha")
	require.NoError(t, err)
	take := func(o imports.Options, path string) imports.Report {
		o.Label, o.Order, o.Files, o.Zone = "alpha", order, []string{path}, s.Labels.ByKey("alpha").Location
		report, err := imports.Run(t.Context(), o, target)
		require.NoError(t, err)
		return report
	}
	require.Zero(t, take(imports.Options{}, file(t, "connection.ndjson", connections)).Refused)
	return s, take
}

// days returns the stored days of a connection: the interval length, the number of intervals without a value, and the registers in Wh or
// dm³.
func days(t *testing.T, s *apptest.Server, ean string) (out []string) {
	t.Helper()
	var rows []struct {
		Day                                       string
		Seconds, Missing                          int
		Normal, Low, FeedinNormal, FeedinLow, Gas *int64
	}
	require.NoError(t, s.Store.DB().NewSelect().TableExpr("usage_days").ColumnExpr("day, seconds, missing, normal, low, feedin_normal, feedin_low, gas").
		Where("label_key = 'alpha' AND ean_code = ?", ean).OrderExpr("day").Scan(context.Background(), &rows))
	for _, r := range rows {
		line := fmt.Sprintf("%.10s %d %d", r.Day, r.Seconds, r.Missing) // PostgreSQL has dates
		for _, v := range []*int64{r.Normal, r.Low, r.FeedinNormal, r.FeedinLow, r.Gas} {
			if v == nil {
				line += " -"
			} else {
				line += fmt.Sprintf(" %d", *v)
			}
		}
		out = append(out, line)
	}
	return out
}

// Every format is stored. One file lists all days of one register before those of the other.
func TestFormatsAreStored(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: many records")
	}
	t.Parallel()
	storetest.EachConfig(t, func(t *testing.T, db store.Config) {
		s, take := portal(t, &db)
		t.Run("11-import-formats-stored", func(t *testing.T) {
			once := take
			take := func(o imports.Options, path string) imports.Report { // and again, which changes nothing
				t.Helper()
				report := once(o, path)
				stored := everything(t, s)
				require.Equal(t, report.Refused, once(o, path).Refused)
				require.Equal(t, stored, everything(t, s), "%s again", o.Format)
				return report
			}
			var nem strings.Builder
			nem.WriteString("100,NEM12,200506081149,A,B\n")
			day := time.Date(2025, time.January, 1, 0, 0, 0, 0, time.UTC)
			for _, suffix := range []string{"E1", "B1"} {
				fmt.Fprintf(&nem, "200,NMI1,E1B1,1,%s,N1,1,kWh,15,\n", suffix)
				for d := range 20 {
					fmt.Fprintf(&nem, "300,%s%s,A,,,,\n", day.AddDate(0, 0, d).Format("20060102"),
						strings.Repeat(map[string]string{"E1": ",0.25", "B1": ",1"}[suffix], 96))
				}
			}
			o := imports.Options{Format: "nem12", Settings: map[string]string{"NMI1": power}}
			require.Zero(t, take(o, file(t, "days.csv", nem.String())).Refused)
			stored := days(t, s, power)
			require.Len(t, stored, 21, "the market's day begins at 15:00 in the winter of Amsterdam")
			require.Equal(t, "2024-12-31 900 60 9000 - 36000 - -", stored[0])
			require.Equal(t, "2025-01-01 900 0 24000 - 96000 - -", stored[1])

			report := take(imports.Options{Format: "fluvius", Settings: map[string]string{"541448820000000017": power}}, file(t, "fluvius.csv",
				"Van (datum);Van (tijdstip);Tot (datum);Tot (tijdstip);EAN-code;Meter;Metertype;Register;Volume;Eenheid;Validatiestatus;Omschrijving\n"+
					fluviusDay()))
			require.Equal(t, 100, report.Rows)
			require.Zero(t, report.Refused)
			require.Contains(t, days(t, s, power), "2024-10-27 900 0 - 10000 - 2500 -", "a day of 25 hours")

			hour := time.Date(2024, time.March, 31, 0, 0, 0, 0, s.Labels.ByKey("alpha").Location)
			var green strings.Builder
			for n := range 23 {
				fmt.Fprintf(&green, "<IntervalReading><timePeriod><duration>3600</duration><start>%d</start></timePeriod><value>%d</value></IntervalReading>", hour.Add(time.Duration(n)*time.Hour).Unix(), 1000+n)
			}
			report = take(imports.Options{Format: "green-button", Settings: map[string]string{"gas": gas}}, file(t, "gas.xml",
				`<feed xmlns="http://naesb.org/espi"><entry><ReadingType><powerOfTenMultiplier>-3</powerOfTenMultiplier><uom>42</uom></ReadingType></entry><entry><IntervalBlock>`+
					green.String()+`</IntervalBlock></entry></feed>`))
			require.Equal(t, imports.Report{Rows: 23}, report)
			require.Equal(t, []string{"2024-03-31 3600 0 - - - - 23253"}, days(t, s, gas))

			report = take(imports.Options{Format: "dsmr", Settings: map[string]string{"electricity": power, "gas": gas}}, file(t, "p1.txt",
				telegram("241101000001W", 100, 241101000000)+telegram("241101120001W", 101, 241101120000)+telegram("241102000001W", 103, 241102000000)))
			require.Equal(t, 4, report.Rows)
			require.Zero(t, report.Refused)
			require.Contains(t, days(t, s, power), "2024-11-01 86400 0 3000 3000 - - -", "two readings are the usage of the day")
			require.Contains(t, days(t, s, gas), "2024-11-01 86400 0 - - - - 3000")

			report = take(imports.Options{Format: "solaredge", Settings: map[string]string{"project": "SUN-1"}}, file(t, "sun.json",
				`{"energy":{"timeUnit":"HOUR","unit":"Wh","values":[{"date":"2024-06-01 12:00:00","value":1500},{"date":"2024-06-01 13:00:00","value":2500.0}]}}`))
			require.Equal(t, imports.Report{Rows: 2}, report)
			var total int64
			require.NoError(t, s.Store.DB().NewSelect().TableExpr("production_days").ColumnExpr("total").Where("label_key = 'alpha' AND project_code = 'SUN-1' AND day = '2024-06-01'").
				Scan(context.Background(), &total))
			require.EqualValues(t, 4000, total)
		})
	})
}

// everything returns all stored days of usage and production, and all readings.
func everything(t *testing.T, s *apptest.Server) (out []string) {
	t.Helper()
	for _, table := range []string{"usage_days", "usage_readings", "production_days"} {
		rows, err := s.Store.DB().QueryContext(t.Context(), "SELECT * FROM "+table)
		require.NoError(t, err)
		columns, err := rows.Columns()
		require.NoError(t, err)
		for rows.Next() {
			values, into := make([]any, len(columns)), make([]any, len(columns))
			for i := range values {
				into[i] = &values[i]
			}
			require.NoError(t, rows.Scan(into...))
			out = append(out, fmt.Sprint(table, values))
		}
		require.NoError(t, errors.Join(rows.Err(), rows.Close()))
	}
	slices.Sort(out)
	return out
}

// fluviusDay returns the quarter-hours of the day on which the clock goes back, with a line for each register.
func fluviusDay() string {
	zone, _ := time.LoadLocation("Europe/Brussels")
	var b strings.Builder
	start := time.Date(2024, time.October, 27, 0, 0, 0, 0, zone)
	for n := range 100 {
		from, to := start.Add(time.Duration(n)*15*time.Minute), start.Add(time.Duration(n+1)*15*time.Minute)
		for register, volume := range map[string]string{"Afname Nacht": "0,100", "Injectie Nacht": "0,025"} {
			fmt.Fprintf(&b, "%s;%s;=\"541448820000000017\";1SAG;Digitale meter;%s;%s;kWh;Uitgelezen;\n", from.Format("02-01-2006;15:04:05"),
				to.Format("02-01-2006;15:04:05"), register, volume)
		}
	}
	return b.String()
}

func telegram(at string, position int, gasAt int) string {
	return fmt.Sprintf("/KFM5KAIFA-METER\r\n\r\n0-0:1.0.0(%s)\r\n1-0:1.8.1(%06d.000*kWh)\r\n1-0:1.8.2(%06d.000*kWh)\r\n0-1:24.1.0(003)\r\n0-1:24.2.1(%dW)(%05d.000*m3)\r\n!\r\n",
		at, position, position, gasAt, position)
}

// The command imports a file from a real installation.
func TestRealFileThroughTheCommand(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: many records")
	}
	t.Parallel()
	b, err := os.ReadFile("../../../../../shared/data/solar/solaredge-2024_06.json")
	if err != nil {
		t.Skip("the shared data is not on this machine")
	}
	s := apptest.Start(t, apptest.Options{Modules: modules.All, Labels: []apptest.Label{{Key: "alpha"}}})
	out := fixture.Command(t, s.Portal(), "import", "--label", "alpha", "--format", "solaredge", "--set", "project=SUN-1",
		file(t, "june.json", string(b)))
	require.Contains(t, out, " records, 0 refused")
	var wh int64
	require.NoError(t, s.Store.DB().NewSelect().TableExpr("production_days").ColumnExpr("SUM(total)").
		Where("project_code = 'SUN-1'").Scan(t.Context(), &wh))
	require.Greater(t, wh, int64(100_000), "more than 100 kWh in June")
}
