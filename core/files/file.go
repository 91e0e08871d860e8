// Package files reads files of the file store and answers with files to be saved.
package files

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humachi"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
)

// Codes of the file store.
const (
	CodeNotFound = "file_not_found"
	CodeName     = "file_name_invalid"
	CodeType     = "file_type_refused"
)

// ExtStream marks an operation whose answer is a file that streams; see Download.
const ExtStream = "x-stream"

// Download registers a GET whose answer is a file to be saved: h returns what Serve or Stream made, or an error, which is
// a problem like any other. Core lets such an answer take as long as it moves (a caller that takes nothing for half a minute is cut
// off, as is a module that writes nothing), does not compress it, and lets it be fetched through a ticket of POST /downloads.
// The context of h ends when the caller goes away; work on nothing that does not heed it.
//
//	files.Download(r.API, huma.Operation{OperationID: "invoiceFile", Path: "/invoices/{id}/file"}, module.Customer,
//		func(ctx context.Context, in *input) (*huma.StreamResponse, error) {
//			…
//			return files.Serve(ctx, host.Client, invoice.File, "Factuur "+invoice.ID)
//		})
func Download[I any](a huma.API, op huma.Operation, who module.Access, h func(context.Context, *I) (*huma.StreamResponse, error)) {
	op.Method = http.MethodGet
	if op.Extensions == nil {
		op.Extensions = map[string]any{}
	}
	op.Extensions[ExtStream] = true
	if op.Responses == nil {
		op.Responses = map[string]*huma.Response{"200": {Description: "The file, as attachment", Content: map[string]*huma.MediaType{
			"application/octet-stream": {Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}}},
			Headers: map[string]*huma.Header{"Content-Disposition": {Schema: &huma.Schema{Type: huma.TypeString},
				Description: "attachment, with the name to save it under (RFC 6266)"}}}}
	}
	module.Route(a, op, who, module.Read, h)
}

// File is a file of the file store while it is read. Its reader streams; close it.
type File struct {
	io.ReadCloser
	Type     string    // media type, which the first bytes have confirmed
	Size     int64     // bytes; -1 when it is not known
	Modified time.Time // zero when it is not known
}

// Open opens a file of the file store, of the label of the call. A name is at most 8 segments with slashes between them, such as
// invoices/2026/F2026-0042.pdf: letters, digits, dots, dashes and underscores. client is Host.Client. Problems: 404 file_not_found,
// 400 file_name_invalid, 409 file_type_refused (its bytes are not what its name says); ErrUnavailable (wrapped) when the store
// could not be reached.
func Open(ctx context.Context, client *http.Client, name string) (*File, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://core/files/"+url.PathEscape(name), nil)
	if err != nil {
		return nil, err
	}
	res, err := client.Do(req)
	if errors.Is(err, problem.ErrNested) || errors.Is(err, context.Canceled) {
		return nil, err
	}
	if err != nil {
		return nil, fmt.Errorf("%w: file: %w", problem.ErrUnavailable, err)
	}
	if res.StatusCode == http.StatusOK {
		modified, _ := http.ParseTime(res.Header.Get("Last-Modified")) // zero: not known
		return &File{res.Body, res.Header.Get("Content-Type"), res.ContentLength, modified}, nil
	}
	defer func() { _ = res.Body.Close() }() // read or not wanted
	p := &problem.Problem{}
	if res.StatusCode >= http.StatusInternalServerError || json.NewDecoder(res.Body).Decode(p) != nil || p.Code == "" {
		return nil, fmt.Errorf("%w: file: status %d", problem.ErrUnavailable, res.StatusCode)
	}
	return nil, p
}

// Serve answers with a file of the file store, to be saved under the name as (see Attachment), which gets the extension of the
// file when it has another or none. Errors are those of Open, before a byte is sent (7-file-name-header).
func Serve(ctx context.Context, client *http.Client, name, as string) (*huma.StreamResponse, error) {
	f, err := Open(ctx, client, name)
	if err != nil {
		return nil, err
	}
	if as == "" {
		as = path.Base(name)
	}
	if ext := path.Ext(name); !strings.EqualFold(path.Ext(as), ext) {
		as += ext
	}
	return &huma.StreamResponse{Body: func(c huma.Context) {
		defer func() { _ = f.Close() }() // read to its end, or the caller is gone
		a := newAttachment(c, as, f.Type)
		if f.Size >= 0 {
			a.header.Set("Content-Length", fmt.Sprint(f.Size))
		}
		if !f.Modified.IsZero() {
			a.header.Set("Last-Modified", f.Modified.UTC().Format(http.TimeFormat))
		}
		_, err := io.Copy(a, f)
		a.end(err)
	}}, nil
}

// Stream answers with a file that is made while it is sent, such as a ZIP: write runs when the answer begins. An error of write
// before the first byte is answered as a problem; after it the answer breaks off, so that nobody takes half a file for a whole one.
// contentType is that of the answer, as is the name to be saved under (see Attachment).
//
//	return files.Stream("facturen-2026.zip", "application/zip", func(w io.Writer) error {
//		z := zip.NewWriter(w)
//		for _, invoice := range invoices {
//			f, err := files.Open(ctx, host.Client, invoice.File)
//			…
//			part, err := z.CreateHeader(&zip.FileHeader{Name: …, Method: zip.Store}) // a PDF does not get smaller
//			_, err = io.Copy(part, f)
//		}
//		return z.Close()
//	}), nil
func Stream(as, contentType string, write func(w io.Writer) error) *huma.StreamResponse {
	return &huma.StreamResponse{Body: func(c huma.Context) {
		a := newAttachment(c, as, contentType)
		a.end(write(a))
	}}
}

// attachment is an answer that begins with its first byte.
type attachment struct {
	w      http.ResponseWriter
	ctx    context.Context
	header http.Header
	begun  bool
	failed error // of w: the caller is gone
}

func newAttachment(c huma.Context, as, contentType string) *attachment {
	_, w := humachi.Unwrap(c)
	return &attachment{w: w, ctx: c.Context(), header: http.Header{
		"Content-Type":           {contentType},
		"Content-Disposition":    {Attachment(as)},
		"X-Content-Type-Options": {"nosniff"},
	}}
}

func (a *attachment) begin() {
	if a.begun {
		return
	}
	a.begun = true
	for k, v := range a.header {
		a.w.Header()[k] = v
	}
	a.w.WriteHeader(http.StatusOK)
}

// Write implements io.Writer.
func (a *attachment) Write(p []byte) (int, error) {
	a.begin()
	n, err := a.w.Write(p)
	if err != nil && a.failed == nil {
		a.failed = err
	}
	return n, err
}

// end ends the answer: whole, as a problem when nothing of it was sent, or visibly broken off.
func (a *attachment) end(err error) {
	switch {
	case err == nil || errors.Is(err, http.ErrBodyNotAllowed): // an answer to HEAD
		a.begin()
		return
	case a.failed == nil && a.ctx.Err() == nil:
		if p, chosen := errors.AsType[*problem.Problem](err); chosen && !a.begun {
			problem.Write(a.w, p)
			return
		}
		problem.Observe(a.ctx, err)
	}
	if !a.begun {
		problem.Write(a.w, problem.Of(err))
		return
	}
	panic(http.ErrAbortHandler)
}
