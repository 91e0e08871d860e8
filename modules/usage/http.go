//go:generate go test . -run TestOpenAPI -update

package usage

import (
	"context"
	"net/http"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/module"
)

const historical = "/smartmeterreadings/historicaldata"

func (s *service) routes() {
	const get, post = http.MethodGet, http.MethodPost
	customer, read := module.Customer, module.Read
	module.Route(s.API, op(get, "/connections", "listConnections", "Connections of the relation"), customer, read, s.listConnections)                                         // 7.2-get-connections
	module.Route(s.API, op(get, "/readings/{agreement}/{location}/{ean}", "listReadings", "Readings of a connection's meters, newest first"), customer, read, s.listReadings) // 7.2-get-readings
	module.Route(s.API, op(get, historical, "getConsent", "Consent for historical meter data; with consentGiven also give or revoke it"), customer, read, s.getConsent)       // 7.2-get-historical-consent
	module.Route(s.API, op(get, historical+"/{agreement}", "getHistory", "Historical meter data of an agreement"), customer, read, s.getHistory)                              // 7.2-get-historical-agreement
	retrieve := op(post, "/smartmeterreadings/retrievals", "startRetrieval", "Fetch the most recent historical meter data")
	retrieve.DefaultStatus = http.StatusAccepted
	module.Route(s.API, retrieve, customer, module.Write, s.startRetrieval)
	csv := op(get, "/smartmeterreadings/csv/{ean}", "getCSV", "Historical meter data of a connection as a file") // 7.2-get-csv, 7.2-csv-parameter
	csv.Responses = map[string]*huma.Response{"200": {Description: "The file historical-data-{ean}.csv",
		Content: map[string]*huma.MediaType{"text/csv": {Schema: &huma.Schema{Type: huma.TypeString}}}}}
	module.Route(s.API, csv, customer, read, s.getCSV)
	module.Route(s.API, op(get, "/usage/{ean}/series", "getSeries", "Usage by hour, day, week, month or year"), customer, read, s.getSeries)
	module.Route(s.API, op(get, "/usage/latest", "listLatest", "Latest measurement of every connection"), customer, read, s.listLatest)
	module.Route(s.API, op(get, "/usage/summary", "getSummary", "Usage of this month"), customer, read, s.getSummary)
}

func op(method, path, id, summary string) huma.Operation {
	return huma.Operation{Method: method, Path: path, OperationID: id, Summary: summary}
}

type connectionsAnswer struct {
	Body []Connection `nullable:"false"`
}

func (s *service) listConnections(ctx context.Context, _ *struct{}) (*connectionsAnswer, error) {
	connections, err := s.mine(ctx)
	return &connectionsAnswer{connections}, err
}

// mine are the connections of the call's relation.
func (s *service) mine(ctx context.Context) ([]Connection, error) {
	rows, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	return connectionsOf(ctx, s.host.DB, rows)
}

// connection is one of them. ErrNotFound for an EAN that is another's, as for one that is nobody's.
func (s *service) connection(ctx context.Context, ean string) (Connection, error) {
	connections, err := s.mine(ctx)
	if err != nil {
		return Connection{}, err
	}
	i := slices.IndexFunc(connections, func(c Connection) bool { return c.EANCode == ean })
	if i < 0 {
		return Connection{}, module.ErrNotFound
	}
	return connections[i], nil
}

type readingsInput struct {
	Agreement string `path:"agreement" doc:"agreement_identifier, with or without sequence"`
	Location  string `path:"location"`
	EAN       string `path:"ean"`
}

type readingsAnswer struct {
	Body []Reading `nullable:"false"`
}

func (s *service) listReadings(ctx context.Context, in *readingsInput) (*readingsAnswer, error) {
	return &readingsAnswer{[]Reading{}}, nil
}

type consentInput struct {
	ConsentGiven string `query:"consentGiven" enum:"true,false" doc:"true gives, false revokes, empty only reads"`
	EAN          string `query:"ean" doc:"One connection; empty: all with a smart meter"`
}

type consentAnswer struct{ Body Consent }

func (s *service) getConsent(ctx context.Context, in *consentInput) (*consentAnswer, error) {
	return &consentAnswer{}, nil
}

type historyInput struct {
	Agreement string `path:"agreement" doc:"agreement_identifier, with or without sequence"`
}

type historyAnswer struct{ Body History }

func (s *service) getHistory(ctx context.Context, in *historyInput) (*historyAnswer, error) {
	return &historyAnswer{}, nil
}

type retrievalInput struct {
	Body struct {
		AgreementIdentifier string `json:"agreement_identifier" minLength:"1" doc:"With or without sequence"`
	}
}

type retrievalAnswer struct{ Body Retrieval }

func (s *service) startRetrieval(ctx context.Context, in *retrievalInput) (*retrievalAnswer, error) {
	return &retrievalAnswer{}, nil
}

type eanInput struct {
	EAN string `path:"ean"`
}

func (s *service) getCSV(ctx context.Context, in *eanInput) (*huma.StreamResponse, error) {
	return &huma.StreamResponse{}, nil
}

type seriesInput struct {
	EAN  string     `path:"ean"`
	Unit Period     `query:"unit" required:"true" enum:"hour,day,week,month,year"`
	From module.Day `query:"from" required:"true"`
	To   module.Day `query:"to" required:"true" doc:"Day after the last"`
}

type seriesAnswer struct{ Body Series }

func (s *service) getSeries(ctx context.Context, in *seriesInput) (*seriesAnswer, error) {
	return &seriesAnswer{}, nil
}

type latestAnswer struct {
	Body []Latest `nullable:"false"`
}

func (s *service) listLatest(ctx context.Context, _ *struct{}) (*latestAnswer, error) {
	return &latestAnswer{[]Latest{}}, nil
}

type summaryAnswer struct{ Body Summary }

func (s *service) getSummary(ctx context.Context, _ *struct{}) (*summaryAnswer, error) {
	return &summaryAnswer{}, nil
}
