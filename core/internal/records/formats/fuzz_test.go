package formats

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"testing"
	"time"

	"github.com/wattle-portal/wattle/core/internal/records/formats/energy"
)

// fuzz reads bytes as a file: reading must end, and every record must be JSON.
func fuzz(f *testing.F, format string, seeds ...string) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	zone, err := time.LoadLocation("Europe/Amsterdam")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		s, err := Open(format, bytes.NewReader(file), zone, map[string]string{"electricity": power, "gas": gas, "project": project})
		if err != nil {
			t.Fatal(err)
		}
		for n := 0; ; n++ {
			if n > 1000*len(file)+1000 {
				t.Fatal("it does not end")
			}
			r, err := s.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if _, bad := errors.AsType[*energy.ParseError](err); bad {
				continue
			}
			if err != nil {
				break
			}
			if !json.Valid(r.Data) || bytes.Contains(r.Data, []byte(":-")) {
				t.Fatalf("%s", r.Data)
			}
		}
		s.Notes()
	})
}

func FuzzGreenButton(f *testing.F) {
	fuzz(f, "green-button", greenButton("<espi:uom>72</espi:uom>", intervalReading(1729987200, 900, "196", "8")))
}

func FuzzNEM12(f *testing.F) {
	fuzz(f, "nem12", "100,NEM12,200506081149,UNITEDDP,NEMMCO\n200,NEM1201009,E1B1,1,E1,N1,01009,kWh,30,20050610\n"+
		nemDay("20240701", 48, "1", "V,,,,")+"400,1,48,A,,\n900\n")
}

func FuzzDSMR(f *testing.F) {
	fuzz(f, "dsmr", telegram("240701000001S", "000001.000", "000002.000", "240701000000S", "00010.500", ""))
}

func FuzzFluvius(f *testing.F) {
	fuzz(f, "fluvius", fluviusHead+fluviusLine("27-10-2024", "02:45", "02:00", "Afname Nacht", "0,2", "kWh", "Uitgelezen"))
}

func FuzzSolarEdge(f *testing.F) {
	fuzz(f, "solaredge", `{"energy":{"timeUnit":"HOUR","unit":"Wh","values":[{"date":"2024-06-01 06:00:00 CEST+0200","value":30.0}]}}`,
		"Time,System Production (Wh)\n01/06/2024 06:00,100\n")
}
