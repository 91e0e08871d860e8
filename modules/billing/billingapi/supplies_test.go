package billingapi

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/problem"
)

// serverTransport sends all requests to a test server.
type serverTransport struct{ server *url.URL }

func (t serverTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.URL.Scheme, r.URL.Host = t.server.Scheme, t.server.Host
	return http.DefaultTransport.RoundTrip(r)
}

// ListAgreements is called only if the billing plugin has no ListSupplies (404), not after other problems.
func TestSupplies(t *testing.T) {
	const supply = `{"agreement_identifier":"A","agreement_identifier_with_sequence":"A-1","name":"N","company_name":"","status":"ACTIVE",
		"period":{"from":"2026-01-01","to":null},"addresses":[{"address_type":"SHIPPING","connections":[{"ean_code":"e","commodity":"GAS"}]}]`
	for name, c := range map[string]struct {
		status, agreements, want int
	}{"this release": {200, 0, 0}, "the release before": {404, 1, 0}, "no relation": {403, 0, 403}} {
		t.Run(name, func(t *testing.T) {
			asked := 0
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				switch {
				case r.URL.Path == "/agreements":
					asked++
					_, _ = fmt.Fprintf(w, `[%s,"latest_invoices":[]}]`, supply)
				case c.status != http.StatusOK:
					problem.Write(w, problem.Fail(c.status, problem.CodeNotFound))
				default:
					_, _ = fmt.Fprintf(w, `[%s}]`, supply)
				}
			}))
			defer server.Close()
			at, err := url.Parse(server.URL)
			require.NoError(t, err)
			all, err := New(&http.Client{Transport: serverTransport{at}}).Supplies(t.Context())
			assert.Equal(t, c.agreements, asked)
			if c.want != 0 {
				assert.Equal(t, c.want, problem.Of(err).Status)
				return
			}
			require.NoError(t, err)
			require.Len(t, all, 1)
			assert.Equal(t, []string{"A", "A-1", "N", "ACTIVE", "2026-01-01", "e"}, []string{all[0].AgreementIdentifier,
				all[0].AgreementIdentifierWithSequence, all[0].Name, all[0].Status, all[0].Period.From.String(), all[0].Addresses[0].Connections[0].EANCode})
		})
	}
}
