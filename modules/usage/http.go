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
	"github.com/wattle-portal/wattle/modules/usage/internal/history"
	"github.com/wattle-portal/wattle/modules/usage/internal/interval"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
	"github.com/wattle-portal/wattle/modules/usage/internal/reading"
	"github.com/wattle-portal/wattle/modules/usage/internal/series"
)

const historical = "/smartmeterreadings/historicaldata"

func (s *service) routes() {
	const get, post = http.MethodGet, http.MethodPost
	customer, read := module.Customer, module.Read
	module.Route(s.API, op(get, "/connections", "listConnections", "List the connections of the customer",
		"For customers. Sorted by commodity and EAN code."), customer, read, s.listConnections) // 7.2-get-connections
	module.Route(s.API, op(get, "/readings/{agreement}/{location}/{ean}", "listReadings", "List meter readings of a connection, newest first",
		"For customers. Without a legal basis, readings that reveal daily usage are left out. Problem: 404 for an unknown agreement, location or "+
			"connection."), customer, read, s.listReadings) // 7.2-get-readings
	module.Route(s.API, op(get, historical, "getConsent", "Get, give or revoke the consent to historical data",
		"For customers; changes not during impersonation. Stores a decision if consentGiven is true or false. Problems: 404 for an unknown "+
			"connection; 422 usage.not_supported without a smart meter."), customer, read, s.getConsent) // 7.2-get-historical-consent
	module.Route(s.API, op(get, historical+"/{agreement}", "getHistory", "Get historical meter data of an agreement by month",
		"For customers. Contains the state of the last retrieval. Problems: 403 usage.consent_needed; 404 for an unknown agreement; 422 "+
			"usage.not_supported without a smart meter."), customer, read, s.getHistory) // 7.2-get-historical-agreement
	retrieve := op(post, "/smartmeterreadings/retrievals", "startRetrieval", "Start a retrieval of historical meter data",
		"For customers, not during impersonation. Returns the running retrieval, if there is one. Problems: 403 usage.consent_needed; 404 for an "+
			"unknown agreement; 422 usage.not_supported without a smart meter.")
	retrieve.DefaultStatus = http.StatusAccepted
	module.Route(s.API, retrieve, customer, module.Write, s.startRetrieval)
	csv := op(get, "/smartmeterreadings/csv/{ean}", "getCSV", "Download historical meter data as a CSV file",
		"For customers. One line per measured interval. Problems: 403 usage.consent_needed; 404 for an unknown connection; 422 "+
			"usage.not_supported without a smart meter.") // 7.2-get-csv, 7.2-csv-parameter
	csv.Responses = map[string]*huma.Response{"200": {Description: "The file historical-data-{ean}.csv, or historical-data-{ean}-excel.csv",
		Content: map[string]*huma.MediaType{"text/csv": {Schema: &huma.Schema{Type: huma.TypeString}}}}}
	files.Download(s.API, csv, customer, s.getCSV)
	module.Route(s.API, op(get, "/usage/{ean}/series", "getSeries", "Get usage by hour, day, week, month or year",
		"For customers. Without a legal basis only by month and year. Problems: 400 usage.range or usage.range_too_long; 403 "+
			"usage.consent_needed; 404 for an unknown connection; 422 usage.not_supported."), customer, read, s.getSeries)
	module.Route(s.API, op(get, "/usage/{ean}/cost", "getCost", "Get the cost of a connection's usage",
		"For customers. Rows at the agreed prices that add up to the total, or why the cost is not known; with unit also divided over periods. "+
			"Without days, or without a legal basis for daily values, it is the cost of the last complete month. Problems: 400 usage.range or "+
			"usage.range_too_long; 404 for an unknown connection."), customer, read, s.getCost)
	module.Route(s.API, op(get, "/usage/{ean}/net-metering", "getNetMetering", "Compare a year with and without net metering",
		"For customers. The cost of the last twelve complete months at today's prices, with net metering and without it. Problem: 404 for an "+
			"unknown connection."), customer, read, s.getNetMetering)
	module.Route(s.API, op(get, "/usage/forecast", "getForecast", "Get what this month is expected to use and cost",
		"For customers. The same days of last year, multiplied by this year so far. Without a legal basis for daily values, or with less than "+
			"twelve months of measurements, there is no forecast but a reason."), customer, read, s.getForecast)
	module.Route(s.API, op(get, "/usage/latest", "listLatest", "List the latest measurement of every connection",
		"For customers. Without a legal basis or daily values, the last meter reading is returned instead."), customer, read, s.listLatest)
	module.Route(s.API, op(get, "/usage/summary", "getSummary", "Get the usage of this month",
		"For customers. Returns electricity, or gas for customers without electricity, and compares it with the same month of last year."),
		customer, read, s.getSummary)
}

func op(method, path, id, summary, description string) huma.Operation {
	return huma.Operation{Method: method, Path: path, OperationID: id, Summary: summary, Description: description}
}

type connectionsAnswer struct {
	Body []meter.Connection `nullable:"false"`
}

func (s *service) listConnections(ctx context.Context, _ *struct{}) (*connectionsAnswer, error) {
	connections, err := s.callerConnections(ctx)
	return &connectionsAnswer{connections}, err
}

// callerConnections returns the connections of the caller's relation.
func (s *service) callerConnections(ctx context.Context) ([]meter.Connection, error) {
	rows, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	return meter.FindConnections(ctx, s.host.DB, rows)
}

// connection returns a connection of the caller's relation. It returns ErrNotFound for an unknown EAN code and for one of another relation.
func (s *service) connection(ctx context.Context, ean string) (meter.Connection, error) {
	connections, err := s.callerConnections(ctx)
	if err != nil {
		return meter.Connection{}, err
	}
	i := slices.IndexFunc(connections, func(c meter.Connection) bool { return c.EANCode == ean })
	if i < 0 {
		return meter.Connection{}, problem.ErrNotFound
	}
	return connections[i], nil
}

type readingsInput struct {
	Agreement string `path:"agreement" doc:"Id of the agreement, with or without sequence"`
	Location  string `path:"location" doc:"The location_id of the connection"`
	EAN       string `path:"ean" doc:"EAN code of the connection"`
}

type readingsAnswer struct {
	Body []reading.Reading `nullable:"false"`
}

// listReadings returns the meter readings of a connection while the agreement supplied it (7.2-get-readings).
func (s *service) listReadings(ctx context.Context, in *readingsInput) (*readingsAnswer, error) {
	k, err := s.contract(ctx, in.Agreement)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(k.connections, func(c meter.Connection) bool { return c.EANCode == in.EAN && c.LocationID == in.Location })
	if i < 0 {
		return nil, problem.ErrNotFound
	}
	a, err := s.access(ctx)
	if err != nil {
		return nil, err
	}
	t := k.spanOf(k.connections[i])
	readings, err := s.visibleReadings(ctx, a, k.connections[i], t)
	return &readingsAnswer{reading.List(k.connections[i], readings, t)}, err
}

// visibleReadings returns the readings of a connection that may be shown, oldest first.
func (s *service) visibleReadings(ctx context.Context, a history.Access, c meter.Connection, t meter.Span) ([]reading.Stored, error) {
	readings, err := reading.Find(ctx, s.host.DB, c.EANCode, t)
	return a.VisibleReadings(c, readings, t, module.Today(ctx, s.host.Now())), err
}

type csvInput struct {
	EAN    string `path:"ean" doc:"EAN code of the connection"`
	Layout string `query:"layout" enum:"csv,excel" default:"csv" doc:"csv: version 1 of the format, for programs; excel: for a Dutch Excel"`
}

func (s *service) getCSV(ctx context.Context, in *csvInput) (*huma.StreamResponse, error) {
	c, t, loc, err := s.suppliedConnection(ctx, in.EAN)
	if err != nil {
		return nil, err
	}
	if _, err := s.requireHistory(ctx, []meter.Connection{c}); err != nil { // 5.10-historical-conditions
		return nil, err
	}
	if t, err = s.historySpan(ctx, t); err != nil {
		return nil, err
	}
	days, err := interval.Find(ctx, s.host.DB, c.EANCode, t)
	if err != nil {
		return nil, err
	}
	if in.Layout == history.LayoutExcel {
		return files.Stream(history.SheetName(c.EANCode), "text/csv; charset=utf-8",
			func(w io.Writer) error { return history.WriteSheet(w, c, days, loc) }), nil
	}
	return files.Stream(history.CSVName(c.EANCode), "text/csv; charset=utf-8",
		func(w io.Writer) error { return history.WriteCSV(w, c, days, loc) }), nil
}

// suppliedConnection returns a connection of the caller's relation, the span of its supply and the label's time zone. The span is empty if
// no agreement supplies the connection.
func (s *service) suppliedConnection(ctx context.Context, ean string) (c meter.Connection, t meter.Span, loc *time.Location, err error) {
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
	return c, meter.SupplySpanOrEmpty(c, all), loc, nil
}

type seriesInput struct {
	EAN  string       `path:"ean" doc:"EAN code of the connection"`
	Unit meter.Period `query:"unit" required:"true" enum:"hour,day,week,month,year" doc:"Length of a period"`
	From value.Day    `query:"from" required:"true" doc:"First day; extended to the start of its period"`
	To   value.Day    `query:"to" required:"true" doc:"Day after the last; extended to the end of its period"`
}

type seriesAnswer struct{ Body series.Series }

func (s *service) getSeries(ctx context.Context, in *seriesInput) (*seriesAnswer, error) {
	if field, code := series.CheckRange(in.Unit, in.From, in.To); code != "" {
		return nil, problem.Refuse(problem.FieldError{Field: field, Code: code})
	}
	c, t, loc, err := s.suppliedConnection(ctx, in.EAN)
	if err != nil {
		return nil, err
	}
	a, err := s.access(ctx)
	if err != nil {
		return nil, err
	}
	if codes := a.CheckUnit(c, in.Unit); codes != nil {
		return nil, withheld(codes[0])
	}
	out := series.New(c, in.Unit, meter.Align(in.Unit, in.From, in.To), loc)
	if !a.CanShowDays(c) {
		return s.seriesFromReadings(ctx, a, c, out, t, loc)
	}
	part := t.Within(meter.Span{From: out.From, Until: out.To})
	if in.Unit == meter.Hourly {
		if out, err = s.hours(ctx, c, t, meter.Span{From: out.From, Until: out.To}, loc); err != nil {
			return nil, err
		}
	} else {
		days, err := interval.FindTotals(ctx, s.host.DB, c.EANCode, part)
		if err != nil {
			return nil, err
		}
		out.FillFromDays(days, loc)
	}
	newest, err := interval.FindNewest(ctx, s.host.DB, c.EANCode, t)
	if err != nil {
		return nil, err
	}
	days, err := interval.Profiles(newest)
	out.Updated = series.MeasuredUntil(days, loc)
	return &seriesAnswer{out}, err
}

// seriesFromReadings returns a series of months or years if days may not be shown.
func (s *service) seriesFromReadings(ctx context.Context, a history.Access, c meter.Connection, out series.Series, t meter.Span,
	loc *time.Location) (*seriesAnswer, error) {
	readings, err := reading.Find(ctx, s.host.DB, c.EANCode, t)
	if err != nil {
		return nil, err
	}
	out.FillFromReadings(readings, t, loc)
	if visible := a.VisibleReadings(c, readings, t, module.Today(ctx, s.host.Now())); len(visible) > 0 {
		at := visible[len(visible)-1].Day.In(loc)
		out.Updated = &at
	}
	return &seriesAnswer{out}, nil
}

type latestAnswer struct {
	Body []series.Latest `nullable:"false"`
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
	out := []series.Latest{}
	for _, c := range connections {
		t := meter.SupplySpanOrEmpty(c, all)
		var days []interval.Totals
		if a.CanShowDays(c) {
			newest, err := interval.FindNewest(ctx, s.host.DB, c.EANCode, t)
			if err != nil {
				return nil, err
			}
			days = interval.TotalsOf(newest)
		}
		l, ok := series.LatestOfDays(c, days)
		if !ok {
			readings, err := s.visibleReadings(ctx, a, c, t)
			if err != nil {
				return nil, err
			}
			l, ok = series.LatestOfReadings(c, readings, t)
		}
		if ok {
			l.ConsentNeeded = a.NeedsConsent(c)
			out = append(out, l)
		}
	}
	return &latestAnswer{out}, nil
}

// supplies returns the connections and the agreements of the caller's relation.
func (s *service) supplies(ctx context.Context) ([]meter.Connection, []meter.Agreement, error) {
	connections, err := s.callerConnections(ctx)
	if err != nil || len(connections) == 0 {
		return nil, nil, err
	}
	all, err := s.agreements(ctx)
	return connections, all, err
}

type summaryAnswer struct{ Body series.Summary }

func (s *service) getSummary(ctx context.Context, _ *struct{}) (*summaryAnswer, error) {
	connections, all, err := s.supplies(ctx)
	if err != nil {
		return nil, err
	}
	a, err := s.access(ctx)
	if err != nil {
		return nil, err
	}
	sum := series.NewComparison(module.Today(ctx, s.host.Now()), connections)
	for _, c := range connections {
		if c.Commodity != sum.Commodity {
			continue
		}
		t := meter.SupplySpanOrEmpty(c, all)
		if !a.CanShowDays(c) {
			readings, err := s.visibleReadings(ctx, a, c, t)
			if err != nil {
				return nil, err
			}
			sum.AddWithheld(reading.List(c, readings, t), a.NeedsConsent(c))
			continue
		}
		now, err := interval.FindTotals(ctx, s.host.DB, c.EANCode, t.Within(sum.ThisMonth()))
		if err != nil {
			return nil, err
		}
		then, err := interval.FindTotals(ctx, s.host.DB, c.EANCode, t.Within(sum.LastYear()))
		if err != nil {
			return nil, err
		}
		sum.Add(now, then)
	}
	return &summaryAnswer{sum.Result()}, nil
}
