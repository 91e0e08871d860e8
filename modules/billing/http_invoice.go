package billing

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/files"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
)

type rawAnswer struct {
	ContentType string `header:"Content-Type"`
	Body        []byte
}

type invoicesInput struct {
	ID      string `path:"id" doc:"The agreement_identifier_with_sequence of the agreement"` // 7.2-agreement-invoices-id
	Page    int    `query:"page" minimum:"1" maximum:"1000000" doc:"Page number from 1; absent: all invoices"`
	PerPage int    `query:"per_page" minimum:"1" maximum:"100" default:"10" doc:"Number of invoices per page"`
}

type invoicesAnswer struct {
	ContentType string `header:"Content-Type"`
	Total       int    `header:"X-Total-Count" doc:"Number of invoices of the agreement"`
	Body        []byte
}

const noLimit = 1 << 31

func (s *service) listInvoices(ctx context.Context, in *invoicesInput) (*invoicesAnswer, error) {
	rows, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	skip, limit := (in.Page-1)*in.PerPage, in.PerPage
	if in.Page == 0 {
		skip, limit = 0, noLimit
	}
	page, total, err := invoicesPage(ctx, s.host.DB, rows, in.ID, skip, limit)
	return &invoicesAnswer{"application/json", total, page}, err
}

func (s *service) latestInvoices(ctx context.Context, _ *struct{}) (*rawAnswer, error) {
	rows, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	list, err := latestInvoices(ctx, s.host.DB, rows, latestInvoicesCount)
	return &rawAnswer{"application/json", list}, err
}

type openAnswer struct{ Body OpenInvoices }

func (s *service) openInvoices(ctx context.Context, _ *struct{}) (*openAnswer, error) {
	rows, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	list, err := invoicesWithBalance(ctx, s.host.DB, rows)
	return &openAnswer{newOpenInvoices(list, s.today(ctx))}, err
}

type agreementInput struct {
	ID string `path:"id" doc:"The agreement_identifier_with_sequence of the agreement"`
}

type yearsAnswer struct {
	Body []Year `nullable:"false"`
}

func (s *service) listYears(ctx context.Context, in *agreementInput) (*yearsAnswer, error) {
	rows, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	years, err := findYears(ctx, s.host.DB, rows, in.ID)
	return &yearsAnswer{years}, err
}

type billedInput struct {
	ID     string `path:"id" doc:"The agreement_identifier_with_sequence of the agreement"`
	Months int    `query:"months" minimum:"1" maximum:"120" default:"24" doc:"Number of months up to the current one; later months are always included"`
}

type billedAnswer struct {
	Body []Month `nullable:"false"`
}

func (s *service) listBilled(ctx context.Context, in *billedInput) (*billedAnswer, error) {
	rows, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	since := s.today(ctx)
	since.Day = 1
	months, err := billedByMonth(ctx, s.host.DB, rows, in.ID, since.AddMonths(1-in.Months))
	return &billedAnswer{months}, err
}

type fileInput struct {
	ID string `path:"id" doc:"Id of the invoice or tariff sheet"`
}

func (s *service) invoiceFile(ctx context.Context, in *fileInput) (*huma.StreamResponse, error) {
	rows, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	file, err := findFile(ctx, s.host.DB, rows, in.ID)
	if err != nil {
		return nil, err
	}
	return s.serveFile(ctx, file, invoiceFileName(in.ID, file))
}

func (s *service) sheetFile(ctx context.Context, in *fileInput) (*huma.StreamResponse, error) {
	_, agreements, err := s.callerAgreements(ctx)
	if err != nil {
		return nil, err
	}
	for _, a := range agreements {
		for _, sheet := range a.TariffSheets {
			if sheet.RetrievalID == in.ID {
				file := a.Files[in.ID]
				return s.serveFile(ctx, file, sheet.fileName(file))
			}
		}
	}
	return nil, problem.ErrNotFound
}

// serveFile sends a stored file under a new name. It returns 404 billing.file_missing for a missing file, which the page shows in the row.
func (s *service) serveFile(ctx context.Context, file, name string) (*huma.StreamResponse, error) {
	if file == "" {
		return nil, problem.Fail(http.StatusNotFound, codeFileMissing)
	}
	out, err := files.Serve(ctx, s.host.Client, file, name)
	if isNotFound(err) {
		return nil, problem.Fail(http.StatusNotFound, codeFileMissing)
	}
	return out, err
}

func isNotFound(err error) bool {
	p, ok := errors.AsType[*problem.Problem](err)
	return ok && p.Status == http.StatusNotFound
}

type archiveInput struct {
	ID   string `path:"id" doc:"The agreement_identifier_with_sequence of the agreement"`
	Year int    `query:"year" required:"true" minimum:"1900" maximum:"9999" doc:"Year of the due dates"`
}

// archive streams a ZIP file with the files of a year. A text file in it lists the invoices without a file.
func (s *service) archive(ctx context.Context, in *archiveInput) (*huma.StreamResponse, error) {
	rows, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	invoices, err := findFilesOfYear(ctx, s.host.DB, rows, in.ID, in.Year)
	if err != nil {
		return nil, err
	}
	if len(invoices) == 0 {
		return nil, problem.ErrNotFound
	}
	name := fmt.Sprintf("facturen-%d-%s.zip", in.Year, in.ID)
	return files.Stream(name, "application/zip", func(w io.Writer) error {
		archive := zip.NewWriter(w)
		var missing []string
		for _, i := range invoices {
			found, err := s.addFile(ctx, archive, i)
			if err != nil {
				return err
			}
			if !found {
				missing = append(missing, i.InvoiceID)
			}
		}
		if len(missing) > 0 {
			if err := addText(archive, "ONTBREKEND.txt", missingText(missing)); err != nil {
				return err
			}
		}
		return archive.Close()
	}), nil
}

// addFile adds the file of an invoice to an archive. It returns false if the file is missing.
func (s *service) addFile(ctx context.Context, archive *zip.Writer, i invoiceFile) (bool, error) {
	if i.File == "" {
		return false, nil
	}
	file, err := files.Open(ctx, s.host.Client, i.File)
	if isNotFound(err) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer func() { _ = file.Close() }() // opened only for reading
	// PDF files are already compressed
	header := &zip.FileHeader{Name: invoiceFileName(i.InvoiceID, i.File), Method: zip.Store, Modified: file.Modified}
	if strings.EqualFold(path.Ext(i.File), ".txt") || strings.EqualFold(path.Ext(i.File), ".xml") {
		header.Method = zip.Deflate
	}
	part, err := archive.CreateHeader(header)
	if err != nil {
		return false, err
	}
	_, err = io.Copy(part, file)
	return err == nil, err
}

func addText(archive *zip.Writer, name, text string) error {
	part, err := archive.Create(name)
	if err != nil {
		return err
	}
	_, err = io.WriteString(part, text)
	return err
}

func missingText(invoices []string) string {
	return "Van deze facturen is geen bestand gevonden:\r\n\r\n" + strings.Join(invoices, "\r\n") +
		"\r\n\r\nOf these invoices no file was found.\r\n"
}
