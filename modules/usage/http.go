//go:generate go test . -run TestOpenAPI|TestAsyncAPI -update

package usage

import (
	"context"
	"io"
	"net/http"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/files"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
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
	csv.Responses = map[string]*huma.Response{"200": {Description: "The file historical-data-{ean}.csv, or historical-data-{ean}-excel.csv",
		Content: map[string]*huma.MediaType{"text/csv": {Schema: &huma.Schema{Type: huma.TypeString}}}}}
	files.Download(s.API, csv, customer, s.getCSV)
	module.Route(s.API, op(get, "/usage/{ean}/series", "getSeries", "Usage by hour, day, week, month or year"), customer, read, s.getSeries)
	module.Route(s.API, op(get, "/usage/latest", "listLatest", "Latest measurement or reading of every connection"), customer, read, s.listLatest)
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
		return Connection{}, problem.ErrNotFound
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

// listReadings shows what the meters of a connection read while the agreement supplied it (7.2-get-readings).
func (s *service) listReadings(ctx context.Context, in *readingsInput) (*readingsAnswer, error) {
	k, err := s.contract(ctx, in.Agreement)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(k.connections, func(c Connection) bool { return c.EANCode == in.EAN && c.LocationID == in.Location })
	if i < 0 {
		return nil, problem.ErrNotFound
	}
	a, err := s.access(ctx)
	if err != nil {
		return nil, err
	}
	t := k.of(k.connections[i])
	standings, err := s.standings(ctx, a, k.connections[i], t)
	return &readingsAnswer{readingsOf(k.connections[i], standings, t)}, err
}

// standings are the readings of a connection that may be shown, oldest first.
func (s *service) standings(ctx context.Context, a access, c Connection, t span) ([]standing, error) {
	standings, err := standingsOf(ctx, s.host.DB, c.EANCode, t)
	return a.readings(c, standings, t, module.Today(ctx, s.host.Now())), err
}

type csvInput struct {
	EAN    string `path:"ean"`
	Layout string `query:"layout" enum:"csv,excel" default:"csv" doc:"csv is version 1, for programs; excel is what a Dutch Excel opens right"`
}

func (s *service) getCSV(ctx context.Context, in *csvInput) (*huma.StreamResponse, error) {
	c, t, loc, err := s.seen(ctx, in.EAN)
	if err != nil {
		return nil, err
	}
	if _, err := s.historic(ctx, []Connection{c}); err != nil { // 5.10-historical-conditions
		return nil, err
	}
	if t, err = s.past(ctx, t); err != nil {
		return nil, err
	}
	rows, err := daysOf(ctx, s.host.DB, c.EANCode, t)
	if err != nil {
		return nil, err
	}
	days, err := profilesOf(rows)
	if err != nil {
		return nil, err
	}
	if in.Layout == layoutExcel {
		return files.Stream(sheetName(c.EANCode), "text/csv; charset=utf-8", func(w io.Writer) error { return writeSheet(w, c, days, loc) }), nil
	}
	return files.Stream(csvName(c.EANCode), "text/csv; charset=utf-8", func(w io.Writer) error { return writeCSV(w, c, days, loc) }), nil
}

// seen is a connection of the call's relation, the span in which it was supplied there and the label's zone. The span is empty
// when no agreement supplies the connection.
func (s *service) seen(ctx context.Context, ean string) (c Connection, t span, loc *time.Location, err error) {
	if c, err = s.connection(ctx, ean); err != nil {
		return c, t, nil, err
	}
	if loc, err = location(ctx); err != nil {
		return c, t, nil, err
	}
	all, err := s.agreements(ctx)
	if err != nil {
		return c, t, nil, err
	}
	return c, suppliedOrNever(c, all), loc, nil
}

// refused is the answer to who asks for historical data that may not be shown (7.2-historical-refused).
func refused(code string) error {
	if code == codeNotSupported {
		return problem.Fail(http.StatusUnprocessableEntity, code)
	}
	return problem.Fail(http.StatusForbidden, code)
}

type seriesInput struct {
	EAN  string    `path:"ean"`
	Unit Period    `query:"unit" required:"true" enum:"hour,day,week,month,year"`
	From value.Day `query:"from" required:"true"`
	To   value.Day `query:"to" required:"true" doc:"Day after the last"`
}

type seriesAnswer struct{ Body Series }

func (s *service) getSeries(ctx context.Context, in *seriesInput) (*seriesAnswer, error) {
	if field, code := checkRange(in.Unit, in.From, in.To); code != "" {
		return nil, problem.Refuse(problem.FieldError{Field: field, Code: code})
	}
	c, t, loc, err := s.seen(ctx, in.EAN)
	if err != nil {
		return nil, err
	}
	a, err := s.access(ctx)
	if err != nil {
		return nil, err
	}
	if codes := a.checkUnit(c, in.Unit); codes != nil {
		return nil, refused(codes[0])
	}
	out := newSeries(c, in.Unit, align(in.Unit, in.From, in.To), loc)
	if !a.hasDays(c) {
		return s.seriesByReadings(ctx, a, c, out, t, loc)
	}
	part := t.within(span{from: out.From, until: out.To})
	if in.Unit == Hour {
		rows, err := daysOf(ctx, s.host.DB, c.EANCode, part)
		if err != nil {
			return nil, err
		}
		days, err := profilesOf(rows)
		if err != nil {
			return nil, err
		}
		profiles := make(map[value.Day]Profile, len(days))
		for _, d := range days {
			profiles[d.day] = d.profile
		}
		out.byHours(profiles, loc)
	} else {
		days, err := totalsOf(ctx, s.host.DB, c.EANCode, part)
		if err != nil {
			return nil, err
		}
		out.byDays(days, loc)
	}
	newest, err := newestDays(ctx, s.host.DB, c.EANCode, t)
	if err != nil {
		return nil, err
	}
	days, err := profilesOf(newest)
	out.Updated = reach(days, loc)
	return &seriesAnswer{out}, err
}

// seriesByReadings is a series of months or years where days may not be shown.
func (s *service) seriesByReadings(ctx context.Context, a access, c Connection, out Series, t span, loc *time.Location) (*seriesAnswer, error) {
	standings, err := standingsOf(ctx, s.host.DB, c.EANCode, t)
	if err != nil {
		return nil, err
	}
	out.byReadings(standings, t, loc)
	if shown := a.readings(c, standings, t, module.Today(ctx, s.host.Now())); len(shown) > 0 {
		at := shown[len(shown)-1].Day.In(loc)
		out.Updated = &at
	}
	return &seriesAnswer{out}, nil
}

type latestAnswer struct {
	Body []Latest `nullable:"false"`
}

func (s *service) listLatest(ctx context.Context, _ *struct{}) (*latestAnswer, error) {
	connections, all, err := s.supplies(ctx)
	if err != nil {
		return nil, err
	}
	a, err := s.access(ctx)
	if err != nil {
		return nil, err
	}
	out := []Latest{}
	for _, c := range connections {
		t := suppliedOrNever(c, all)
		var days []dayRow
		if a.hasDays(c) {
			if days, err = newestDays(ctx, s.host.DB, c.EANCode, t); err != nil {
				return nil, err
			}
		}
		l, ok := latestOfDays(c, days)
		if !ok {
			standings, err := s.standings(ctx, a, c, t)
			if err != nil {
				return nil, err
			}
			l, ok = latestOfReadings(c, standings, t)
		}
		if ok {
			l.ConsentNeeded = a.needsConsent(c)
			out = append(out, l)
		}
	}
	return &latestAnswer{out}, nil
}

// supplies are the connections of the call's relation and its agreements.
func (s *service) supplies(ctx context.Context) ([]Connection, []Agreement, error) {
	connections, err := s.mine(ctx)
	if err != nil || len(connections) == 0 {
		return nil, nil, err
	}
	all, err := s.agreements(ctx)
	return connections, all, err
}

type summaryAnswer struct{ Body Summary }

func (s *service) getSummary(ctx context.Context, _ *struct{}) (*summaryAnswer, error) {
	connections, all, err := s.supplies(ctx)
	if err != nil {
		return nil, err
	}
	a, err := s.access(ctx)
	if err != nil {
		return nil, err
	}
	sum := newMonthly(module.Today(ctx, s.host.Now()), connections)
	for _, c := range connections {
		if c.Commodity != sum.Commodity {
			continue
		}
		t := suppliedOrNever(c, all)
		if !a.hasDays(c) {
			standings, err := s.standings(ctx, a, c, t)
			if err != nil {
				return nil, err
			}
			sum.withhold(readingsOf(c, standings, t), a.needsConsent(c))
			continue
		}
		now, err := totalsOf(ctx, s.host.DB, c.EANCode, t.within(sum.thisMonth()))
		if err != nil {
			return nil, err
		}
		then, err := totalsOf(ctx, s.host.DB, c.EANCode, t.within(sum.lastYear()))
		if err != nil {
			return nil, err
		}
		sum.add(now, then)
	}
	return &summaryAnswer{sum.summary()}, nil
}
