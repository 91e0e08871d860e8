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
	ID      string `path:"id" doc:"agreement_identifier_with_sequence"` // 7.2-agreement-invoices-id
	Page    int    `query:"page" minimum:"1" maximum:"1000000" doc:"From 1 on; without it all invoices are answered"`
	PerPage int    `query:"per_page" minimum:"1" maximum:"100" default:"10"`
}

type invoicesAnswer struct {
	ContentType string `header:"Content-Type"`
	Total       int    `header:"X-Total-Count" doc:"How many invoices the agreement has"`
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
	list, err := latestInvoices(ctx, s.host.DB, rows, latestCount)
	return &rawAnswer{"application/json", list}, err
}

type agreementInput struct {
	ID string `path:"id" doc:"agreement_identifier_with_sequence"`
}

type yearsAnswer struct {
	Body []Year `nullable:"false"`
}

func (s *service) listYears(ctx context.Context, in *agreementInput) (*yearsAnswer, error) {
	rows, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	years, err := yearsOf(ctx, s.host.DB, rows, in.ID)
	return &yearsAnswer{years}, err
}

type billedInput struct {
	ID     string `path:"id" doc:"agreement_identifier_with_sequence"`
	Months int    `query:"months" minimum:"1" maximum:"120" default:"24" doc:"This month and those before it; what is due later is there too"`
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
	months, err := billedSince(ctx, s.host.DB, rows, in.ID, since.AddMonths(1-in.Months))
	return &billedAnswer{months}, err
}

type fileInput struct {
	ID string `path:"id"`
}

func (s *service) invoiceFile(ctx context.Context, in *fileInput) (*huma.StreamResponse, error) {
	rows, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	file, err := fileOf(ctx, s.host.DB, rows, in.ID)
	if err != nil {
		return nil, err
	}
	return s.serve(ctx, file, invoiceFileName(in.ID, file))
}

func (s *service) sheetFile(ctx context.Context, in *fileInput) (*huma.StreamResponse, error) {
	_, agreements, err := s.mine(ctx)
	if err != nil {
		return nil, err
	}
	for _, a := range agreements {
		for _, sheet := range a.TariffSheets {
			if sheet.RetrievalID == in.ID {
				file := a.Files[in.ID]
				return s.serve(ctx, file, sheet.fileName(file))
			}
		}
	}
	return nil, problem.ErrNotFound
}

// serve answers with a file under a name of ours. One that is not there is told apart from a wrong path: the page shows it in the row.
func (s *service) serve(ctx context.Context, file, as string) (*huma.StreamResponse, error) {
	if file == "" {
		return nil, problem.Fail(http.StatusNotFound, codeFileMissing)
	}
	out, err := files.Serve(ctx, s.host.Client, file, as)
	if missing(err) {
		return nil, problem.Fail(http.StatusNotFound, codeFileMissing)
	}
	return out, err
}

func missing(err error) bool {
	p, ok := errors.AsType[*problem.Problem](err)
	return ok && p.Status == http.StatusNotFound
}

type archiveInput struct {
	ID   string `path:"id" doc:"agreement_identifier_with_sequence"`
	Year int    `query:"year" required:"true" minimum:"1900" maximum:"9999" doc:"Of the due dates"`
}

// archive sends the files of a year while it reads them. Invoices whose file is not there are named in a text file in it.
func (s *service) archive(ctx context.Context, in *archiveInput) (*huma.StreamResponse, error) {
	rows, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	invoices, err := filesOfYear(ctx, s.host.DB, rows, in.ID, in.Year)
	if err != nil {
		return nil, err
	}
	if len(invoices) == 0 {
		return nil, problem.ErrNotFound
	}
	name := fmt.Sprintf("facturen-%d-%s.zip", in.Year, in.ID)
	return files.Stream(name, "application/zip", func(w io.Writer) error {
		archive := zip.NewWriter(w)
		var absent []string
		for _, i := range invoices {
			there, err := s.addFile(ctx, archive, i)
			if err != nil {
				return err
			}
			if !there {
				absent = append(absent, i.InvoiceID)
			}
		}
		if len(absent) > 0 {
			if err := addText(archive, "ONTBREKEND.txt", absentText(absent)); err != nil {
				return err
			}
		}
		return archive.Close()
	}), nil
}

// addFile puts the file of an invoice into an archive; false when it is not there.
func (s *service) addFile(ctx context.Context, archive *zip.Writer, i filedInvoice) (bool, error) {
	if i.File == "" {
		return false, nil
	}
	file, err := files.Open(ctx, s.host.Client, i.File)
	if missing(err) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer func() { _ = file.Close() }()                                                                               // read to its end, or given up
	header := &zip.FileHeader{Name: invoiceFileName(i.InvoiceID, i.File), Method: zip.Store, Modified: file.Modified} // a PDF does not get smaller
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

func absentText(invoices []string) string {
	return "Van deze facturen is geen bestand gevonden:\r\n\r\n" + strings.Join(invoices, "\r\n") +
		"\r\n\r\nOf these invoices no file was found.\r\n"
}
