package guess

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/records/imports"
	"github.com/wattle-portal/wattle/core/record"
)

var now = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

// customer and bill are record kinds of these tests; the kinds of modules are in the test of the documented example.
var (
	customer = record.Kind{Name: "relation", Fields: struct {
		Number    string `json:"debtor_number"`
		Name      string `json:"last_name"`
		Title     string `json:"salutation" enum:"MR,MRS"`
		Since     string `json:"relation_since"`
		Addresses []struct {
			Type   string `json:"address_type" enum:"INVOICE,SHIPPING"`
			Street string `json:"street"`
			City   string `json:"city"`
		} `json:"addresses"`
		Bank *struct {
			IBAN  string `json:"bank_account_number"`
			Owner string `json:"bank_account_name"`
		} `json:"bank"`
	}{}, Required: []string{"debtor_number", "addresses.0.address_type", "bank.bank_account_number", "bank.bank_account_name"},
		Example: `{"debtor_number":"1","addresses":[{"address_type":"SHIPPING"}]}`}
	bill = record.Kind{Name: "invoice", Fields: struct {
		Number string `json:"invoice_id"`
		Debtor string `json:"debtor_number"`
		Amount string `json:"amount"`
		Open   string `json:"balance"`
		Day    string `json:"issue_date"`
		Status string `json:"payment_status" enum:"PAID,OUTSTANDING"`
	}{}, Required: []string{"invoice_id", "debtor_number", "amount", "payment_status"}, Example: `{"invoice_id":"1","amount":"12.50"}`}
	usage = record.Kind{Name: "reading", Fields: struct {
		EAN  string `json:"ean_code"`
		Day  string `json:"measurement_date"`
		Low  string `json:"consumption_low"`
		High string `json:"consumption_normal"`
	}{}, Required: []string{"ean_code", "measurement_date"}, Example: `{"ean_code":"871"}`}
	kinds = []record.Kind{customer, bill, usage}
)

// table reads a CSV file.
func table(t testing.TB, text string) imports.Table {
	t.Helper()
	out, err := imports.Sample(strings.NewReader(text), 100)
	require.NoError(t, err)
	return out
}

// lines returns the lines of a mapping without indentation.
func lines(t testing.TB, file, text string) []string {
	t.Helper()
	written := Of(file, table(t, text), kinds, now).Text("x", "the file")
	var out []string
	for line := range strings.Lines(written) {
		out = append(out, strings.Join(strings.Fields(line), " "))
	}
	return out
}

func TestGuess(t *testing.T) {
	t.Run("11-import-plan", func(t *testing.T) {
		for _, c := range []struct {
			file, text string
			has        []string
			lacks      []string
		}{
			{"klanten.csv", "Klantnr.;Naam;Aanhef;Klant sinds;Straat;Rekeningnummer;Opmerking\n1;Bakker;Dhr.;1-2-2020;Markt;NL12;x\n2;Smid;mevr;12-10-2021;Dorp;;\n3;De Boer;Fam.;;;;\n",
				[]string{`kind: "relation"`, `debtor_number: column: "Klantnr."`, `last_name: column: "Naam"`,
					`salutation: {column: "Aanhef", values: {"Dhr.": "MR", "mevr": "MRS"}} // add "Fam.": one of MR, MRS`,
					`relation_since: {column: "Klant sinds", date: "D-M-YYYY"}`, `"addresses.0.street": column: "Straat"`,
					`"addresses.0.address_type": value: "SHIPPING" // a guess: one of INVOICE, SHIPPING`,
					`// columns that are not read: "Rekeningnummer" (needs bank.bank_account_name too), "Opmerking"`,
					"// wattle import schema relation describes all fields"},
				[]string{"bank", "comma", "order"}},
			{"export 2026.csv", "Customer number,Surname,Gender,IBAN,Account holder\n1,Bakker,MR,NL12,B\n",
				[]string{`kind: "relation"`, `salutation: column: "Gender"`, `"bank.bank_account_number": column: "IBAN"`,
					`"bank.bank_account_name": column: "Account holder"`}, []string{"addresses"}},
			{"Facturen (2026).csv", "Factuurnummer;Debiteurnummer;Bedrag;Saldo;Datum;Betaald\nF1;1;1.234,56;1.234;2026-01-31;ja\nF2;1;120,00;0,00;2026-02-28;nee\n",
				[]string{`kind: "invoice"`, `amount: {column: "Bedrag", number: ","}`, `issue_date: column: "Datum"`,
					`balance: {column: "Saldo", number: ",", thousands: "."} // a guess: 1.234 is 1234, because other numbers have a decimal comma`,
					`payment_status: {column: "Betaald", values: {"ja": "PAID", "nee": "OUTSTANDING"}}`}, []string{"required"}},
			{"invoices.csv", "Invoice no|Customer no|Total|Outstanding|Date\nF1|1|1,234.56|1.234|31/01/2026\n",
				[]string{`comma: "|"`, `amount: {column: "Total", number: "."}`, `issue_date: {column: "Date", date: "DD/MM/YYYY"}`,
					`balance: {column: "Outstanding", number: "."} // a guess: 1.234 is 1.234; write number: ",", thousands: "." if it is 1234`,
					`// payment_status: value: "PAID" // required: one of PAID, OUTSTANDING`}, nil},
			{"standen.csv", "Opnamedatum;Stand laag;Stand normaal\n02-01-2026;12;13\n01-01-2026;11;12\n",
				[]string{`kind: "reading"`, `order: "newest_first"`, `measurement_date: {column: "Opnamedatum", date: "DD-MM-YYYY"}`,
					`consumption_low: column: "Stand laag"`, `// ean_code: column: "…" // required`}, nil},
			{"iets.csv", "Ean;Opnamedatum\n871;20260102\n871;20260102\n", []string{`kind: "reading"`, `measurement_date: {column: "Opnamedatum", date: "YYYYMMDD"}`},
				[]string{"order"}},
			{"iets.csv", "Rayon;Kleur\n1;blauw\n", []string{"// Its kind of record was not recognized. Its columns are \"Rayon\", \"Kleur\"."}, []string{"imports"}},
			{"klanten.csv", "Naam;Naam;Aanhef\na;b;c\n", []string{"// Its kind of record was not recognized."}, nil},
		} {
			got := lines(t, c.file, c.text)
			for _, want := range c.has {
				require.True(t, slices.ContainsFunc(got, func(line string) bool { return strings.HasPrefix(line, strings.TrimSuffix(want, ".")) }),
					"%s: %s\nis not in\n%s", c.file, want, strings.Join(got, "\n"))
			}
			for _, never := range c.lacks {
				require.False(t, slices.ContainsFunc(got, func(line string) bool { return strings.HasPrefix(line, never+":") || line == "// "+never }),
					"%s: %s\nis in\n%s", c.file, never, strings.Join(got, "\n"))
			}
		}
	})
	require.Equal(t, []string{"klanten", "klanten-2", "file", "cafe", "a-b", strings.Repeat("a", 40), strings.Repeat("a", 36) + "-2"},
		Names([]string{"klanten.csv", "01 Klanten.CSV", "2026.csv", "Café.csv", "a & b.csv", strings.Repeat("a", 50) + ".csv",
			strings.Repeat("a", 60) + ".csv"}))
}

// Each line of the table can be read, and no word comes twice in a line.
func TestWords(t *testing.T) {
	t.Run("11-import-plan-words", func(t *testing.T) {
		n := 0
		for line := range strings.Lines(wordTable) {
			if strings.HasPrefix(line, "#") {
				continue
			}
			n++
			cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
			require.Len(t, cells, 3, line)
			require.Contains(t, []string{"kind", "field", "value", "form"}, cells[0], line)
			seen := map[string]bool{}
			for _, w := range strings.Split(cells[2], ", ") {
				require.NotEmpty(t, fold(w), line)
				require.False(t, seen[w], "%s: %s comes twice", line, w)
				seen[w] = true
			}
		}
		require.Greater(t, n, 100)
		for _, file := range []string{"guess.go", "words.go"} { // write.go has the words of mappings
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
			require.NoError(t, err)
			ast.Inspect(parsed, func(n ast.Node) bool {
				if _, isImport := n.(*ast.ImportSpec); isImport {
					return false
				}
				if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
					word := fold(l.Value)
					if len(word) < 2 || slices.Contains([]form{isNumber, isDay, isTime}, form(word)) {
						return true
					}
					for _, table := range []map[string][]string{words.kinds, words.fields, words.values} {
						for name, all := range table {
							require.NotContains(t, all, word, "%s has a word of %s, which belongs in words.tsv: %s", file, name, l.Value)
						}
					}
				}
				return true
			})
		}
		for text, want := range map[string]string{"E-mailadres": "emailadres", " Café_No. 1 ": "cafeno1", "--": ""} {
			require.Equal(t, want, fold(text))
		}
		require.Equal(t, isDay, words.formOf("period.from", ""))
		require.Equal(t, isNumber, words.formOf("x.price", "12.50"))
		require.Equal(t, isDay, words.formOf("x.moment", "2026-01-02"))
		require.Equal(t, isTime, words.formOf("x.moment", "2026-01-02T10:00:00Z"))
		require.Equal(t, isText, words.formOf("x.moment", "12"))
	})
}

// Whatever a file contains, the guessed mapping is valid, and says of each column whether it is read.
func FuzzGuess(f *testing.F) {
	f.Add("klanten", "Klantnummer;Naam;Aanhef;Klant sinds;Straat\n1;a\"b;Dhr.;1-1-2020;\\(x)\n")
	f.Add("a\n// b", "Factuurnummer;Debiteurnummer;Bedrag;Betaald\n1;2;1.234;{}\n")
	f.Add("x", "Ean\tOpnamedatum\tStand laag\n1\t2026-01-01\t1,2\n")
	byName := map[string]record.Kind{}
	for _, k := range kinds {
		byName[k.Name] = k
	}
	f.Fuzz(func(t *testing.T, file, text string) {
		read, err := imports.Sample(strings.NewReader(text), 20)
		if err != nil {
			return
		}
		g := Of(file+".csv", read, kinds, now)
		written := g.Text(Names([]string{file + ".csv"})[0], fmt.Sprintf("%q", file))
		got, problems, err := label.Mappings("m.cue", []byte(written), byName)
		if err != nil || len(problems) > 0 || len(got) != 1 && g.Kind != "" {
			t.Fatalf("%v %v\n%s", err, problems, written)
		}
		for _, m := range got {
			if _, err := m.For(read.Columns, nil, time.UTC); err != nil {
				t.Fatalf("%v\n%s", err, written)
			}
		}
	})
}
