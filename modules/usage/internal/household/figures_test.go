package household

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/demodata"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter/metertest"
)

// figures contains the amounts of a demo agreement.
type figures struct {
	ID        string `json:"agreement_identifier_with_sequence"`
	Status    string
	Addresses []struct {
		Connections []struct {
			EAN       string `json:"ean_code"`
			Commodity string
		}
	}
	Prices     []price `json:"price_agreements"`
	Periodical *struct {
		Current  float64 `json:"current_amount"`
		Proposed float64 `json:"proposed_amount"`
		Min      float64 `json:"min_amount"`
		Max      float64 `json:"max_amount"`
		Items    []struct{ Amount float64 }
		Next     value.Day `json:"next_collection"`
		Year     *struct {
			Cost    float64   `json:"expected_cost"`
			Paid    float64   `json:"paid"`
			Settles value.Day `json:"settles_on"`
		} `json:"year_end"`
	}
}

type price struct {
	Description, Commodity, Unit string
	Amount                       float64
}

// yearCost returns the cost of a year at the prices of an agreement for usage (normal, low, gas) and feed-in.
func yearCost(prices []price, connections map[string]int, normal, low, heat, fed float64) (sum float64) {
	for _, p := range prices {
		n := float64(connections[p.Commodity])
		switch {
		case p.Unit == "maand":
			sum += 12 * p.Amount * n
		case p.Unit == "jaar":
			sum += p.Amount * n
		case p.Description == "Terugleververgoeding":
			sum -= p.Amount * fed
		case p.Description == "Terugleverkosten":
			sum += p.Amount * fed
		case p.Commodity == string(meter.Gas):
			sum += p.Amount * heat
		case strings.Contains(p.Description, "daltarief"):
			sum += p.Amount * low
		default:
			sum += p.Amount * normal
		}
	}
	return sum
}

func TestFigures(t *testing.T) {
	loc := metertest.Amsterdam(t)
	shapes, err := os.ReadFile("../../../billing/demo/shapes.tmpl") // the template of module billing's records
	require.NoError(t, err)
	texts := demodata.NewTexts(time.Date(2026, 11, 20, 11, 0, 0, 0, loc), string(shapes))
	from := value.Day{Year: 2025, Month: time.January, Day: 1}
	folders, err := filepath.Glob("../../../../labels/*/demo")
	require.NoError(t, err)
	require.NotEmpty(t, folders)
	outcomes, measured := map[string]string{}, 0
	t.Run("9-demo-figures", func(t *testing.T) {
		for _, folder := range folders {
			records := func(kind string, each func(line []byte)) {
				text, err := os.ReadFile(filepath.Join(folder, kind+".ndjson"))
				require.NoError(t, err)
				text, err = texts.Execute(kind, string(text))
				require.NoError(t, err)
				for in := bufio.NewScanner(bytes.NewReader(text)); in.Scan(); {
					if len(in.Bytes()) > 0 {
						each(in.Bytes())
					}
				}
			}
			homes := map[string]Household{}
			if text, err := os.ReadFile(filepath.Join(folder, "households.json")); err == nil {
				var list []Household
				require.NoError(t, json.Unmarshal(text, &list))
				for _, h := range list {
					homes[h.EAN] = h
				}
			}
			billed := map[string]map[value.Day]float64{} // amounts by agreement and month
			records("invoice", func(line []byte) {
				var i struct {
					Agreement string    `json:"agreement_identifier_with_sequence"`
					Type      string    `json:"invoice_type"`
					Due       value.Day `json:"due_date"`
					Amount    float64
				}
				require.NoError(t, json.Unmarshal(line, &i))
				if i.Type == "PERIODICAL" {
					if billed[i.Agreement] == nil {
						billed[i.Agreement] = map[value.Day]float64{}
					}
					billed[i.Agreement][i.Due] = i.Amount
				}
			})
			records("agreement", func(line []byte) {
				var a figures
				require.NoError(t, json.Unmarshal(line, &a))
				p := a.Periodical
				if p == nil {
					return
				}
				parts := 0.0
				for _, i := range p.Items {
					parts += i.Amount
				}
				assert.InDelta(t, p.Current, parts, 0.005, "%s: the items add up to the term amount", a.ID)
				if a.Status == "TERMINATED" {
					assert.Nil(t, p.Year, a.ID)
					return
				}
				require.NotNil(t, p.Year, a.ID)
				paid, left := 0.0, 0.0
				for month := p.Year.Settles.AddMonths(-12); month.Before(p.Year.Settles); month = month.AddMonths(1) {
					amount, is := billed[a.ID][month]
					switch {
					case !month.Before(p.Next):
						left++
					case is:
						paid += amount
					case len(billed[a.ID]) == 0 && p.Year.Paid > 0: // has no invoices in the demo
						paid += p.Current
					}
				}
				assert.InDelta(t, paid, p.Year.Paid, 0.005, "%s: the amount paid", a.ID)
				outcome := p.Year.Paid + left*p.Current - p.Year.Cost
				key := fmt.Sprintf("%.2f", math.Abs(outcome))
				assert.Empty(t, outcomes[key], "%s has the same outcome as another customer: %s", a.ID, key)
				outcomes[key] = a.ID
				if p.Min < p.Max {
					advised := p.Year.Paid + left*p.Proposed - p.Year.Cost
					assert.True(t, advised >= 0 && advised < left+0.005, "%s: with the recommended amount %.2f is left over", a.ID, advised)
					assert.True(t, p.Min <= p.Proposed && p.Proposed <= p.Max, a.ID)
				}
				connections := map[string]int{}
				var normal, low, heat, fed float64
				for _, at := range a.Addresses {
					for _, c := range at.Connections {
						h, known := homes[c.EAN]
						if connections[c.Commodity]++; !known {
							return // its meter has no data in the demo
						}
						if c.Commodity == string(meter.Gas) {
							heat += h.Yearly
							continue
						}
						x := h.In(loc)
						for d := from; d.Before(from.AddMonths(12)); d = d.AddDays(1) {
							used := x.Day(d)
							for i := range used.Normal {
								normal, low = normal+float64(used.Normal[i])/1000, low+float64(used.Low[i])/1000
								if h.Solar > 0 {
									fed += float64(used.FeedInNormal[i]+used.FeedInLow[i]) / 1000
								}
							}
						}
					}
				}
				measured++
				assert.InEpsilon(t, yearCost(a.Prices, connections, normal, low, heat, fed), p.Year.Cost, 0.01, "%s: the cost of the year", a.ID)
			})
		}
		assert.GreaterOrEqual(t, measured, 15, "number of agreements with measurements")
	})
}
