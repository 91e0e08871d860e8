package billing

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/record"
	"github.com/wattle-portal/wattle/core/value"
)

// In the demo, agreements with a fixed term have a last day, and variable ones have none.
func TestDemoContractsEnd(t *testing.T) {
	t.Run("9-agreement-end-date", func(t *testing.T) {
		files, err := filepath.Glob("../../labels/*/demo/agreement.ndjson")
		require.NoError(t, err)
		fixed, variable := 0, 0
		for _, name := range append(files, "demo/agreement.ndjson") {
			data, err := os.ReadFile(name)
			require.NoError(t, err)
			for line := range strings.Lines(string(data)) {
				var a struct {
					Name, Status string
					Period       struct{ To string }
				}
				require.NoError(t, json.Unmarshal([]byte(line), &a), name)
				switch {
				case strings.Contains(a.Name, "vast"):
					fixed++
					require.NotEmpty(t, a.Period.To, "%s: %s", name, a.Name)
				case strings.Contains(a.Name, "variabel") && a.Period.To == "":
					variable++
				}
			}
		}
		require.Greater(t, fixed, 10)
		require.Greater(t, variable, 3)
	})
}

// Storing and reading an accepted record does not change it, and its ids and file names contain no path.
func FuzzInvoiceRecord(f *testing.F) {
	f.Add([]byte(`{"debtor_number":1,"agreement_identifier_with_sequence":"A-1","invoice_id":"F1","invoice_type":"ANNUAL","amount":"-12.30","balance":0,
		"issue_date":"2026-01-02","due_date":"2026-01-16","payment_status":"PAID","file":"a/b.pdf","settlement":{"receivable":{"amount_value":1,"invoice_type":"MAR"},
		"payables":[{"amount_value":2,"invoice_type":"MAR"}],"rest_amount":3}}`))
	f.Add([]byte(`{"invoice_id":"../x","file":"/etc/passwd","amount":1e400,"due_date":"0000-00-00"}`))
	f.Add([]byte(`[]`))
	f.Add([]byte(`{"settlement":{"payables":[{},{},null]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		debtor, i, file, refusals := parseInvoice(record.Row{Line: 3, Data: data})
		if refusals != nil {
			requireRefusals(t, refusals)
			return
		}
		if debtor == "" || !idPattern.MatchString(i.ID) || i.DueDate.IsZero() || !slices.Contains(BalanceStatuses, i.Status) ||
			strings.Contains(file, "..") && strings.Contains(file, "/.") {
			t.Fatalf("taken: %+v", i)
		}
		roundTrip(t, i)
	})
}

func FuzzAgreementRecord(f *testing.F) {
	f.Add([]byte(`{"debtor_number":"1","agreement_identifier":"A","agreement_identifier_with_sequence":"A-1","product_category":"ENERGY","status":"ACTIVE",
		"period":{"from":"2024-01-01","to":null},"addresses":[{"address_type":"SHIPPING","house_number":12,"connections":[{"ean_code":871,"commodity":"GAS"}]}],
		"periodical":{"current_amount":1,"proposed_amount":2,"min_amount":1,"max_amount":3,"payment_method":"IDEAL","next_collection":"2026-01-31",
		"items":[{"amount":1}],"year_end":{"expected_cost":1,"paid":"2.50","settles_on":"2027-01-01"}},"price_agreements":[{"amount":"0.12345","from":"2026-01-01"}],
		"tariff_sheets":[{"retrieval_id":"T","send_date":"2026-01-01","file":"t.pdf"}],"products":[{"product_code":"P","start_date":"2026-01-01"}]}`))
	f.Add([]byte(`{"periodical":{"min_amount":2,"max_amount":1},"addresses":[null],"period":{"from":"2024-01-02","to":"2024-01-01"}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		_, a, refusals := parseAgreement(record.Row{Line: 3, Data: data})
		if refusals != nil {
			requireRefusals(t, refusals)
			return
		}
		if p := a.Periodical; p != nil && p.Details.Min > p.Details.Max || a.Period.From.IsZero() {
			t.Fatalf("taken: %+v", a)
		}
		if a.Periodical != nil {
			a.termAmount(value.Day{Year: 2026, Month: 11, Day: 20}, nil)
		}
		roundTrip(t, a)
	})
}

func requireRefusals(t *testing.T, refusals []record.Refusal) {
	for _, w := range refusals {
		if w.Line != 3 || w.Code == "" {
			t.Fatalf("refused with %+v", w)
		}
	}
}

// roundTrip encodes and decodes a value.
func roundTrip[T any](t *testing.T, v *T) {
	first, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	back := new(T)
	if err := json.Unmarshal(first, back); err != nil {
		t.Fatalf("%s: %v", first, err)
	}
	second, err := json.Marshal(back)
	if err != nil || string(second) != string(first) {
		t.Fatalf("%s became %s, %v", first, second, err)
	}
}
