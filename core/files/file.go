// Package files reads files from the file store and returns responses that browsers save as files.
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

// Error codes of the file store.
const (
	CodeNotFound = "file_not_found"
	CodeName     = "file_name_invalid"
	CodeType     = "file_type_refused"
)

// ExtStream marks an operation whose response is a streamed file; see Download.
const ExtStream = "x-stream"

// Download registers a GET operation whose response is a file to be saved. h returns the result of Serve or Stream, or an error, which is
// returned as a problem. Such a response may take any time while data is transferred: core disconnects a client that reads nothing, or a
// module that writes nothing, for half a minute. Core does not compress the response, and accepts a ticket of POST /downloads for it. The
// context of h is canceled when the client disconnects, and h must then stop.
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

// File is an open file of the file store. Reading it streams the content. The caller must close it.
type File struct {
	io.ReadCloser
	Type     string    // media type, verified against the first bytes of the file
	Size     int64     // bytes; -1 when unknown
	Modified time.Time // zero when unknown
}

// Open opens a file in the file store of the call's label. A name has at most 8 segments separated by slashes, such as
// invoices/2026/F2026-0042.pdf. Segments consist of letters, digits, dots, dashes and underscores. client is Host.Client. Problems: 404
// file_not_found, 400 file_name_invalid, 409 file_type_refused (the content does not match the extension); ErrUnavailable (wrapped) when
// the store could not be reached.
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
		modified, _ := http.ParseTime(res.Header.Get("Last-Modified")) // zero on error: unknown
		return &File{res.Body, res.Header.Get("Content-Type"), res.ContentLength, modified}, nil
	}
	defer func() { _ = res.Body.Close() }() // the rest of the body is not needed
	p := &problem.Problem{}
	if res.StatusCode >= http.StatusInternalServerError || json.NewDecoder(res.Body).Decode(p) != nil || p.Code == "" {
		return nil, fmt.Errorf("%w: file: status %d", problem.ErrUnavailable, res.StatusCode)
	}
	return nil, p
}

// Serve returns a response with a file of the file store, to be saved under the name in as (see Attachment). If the name has no extension
// or a different one, the extension of the file is added. Serve returns the errors of Open before the first byte is sent
// (7-file-name-header).
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
		defer func() { _ = f.Close() }() // the file was read to its end, or the client disconnected
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

// Stream returns a response with a file that write generates while it is sent, such as a ZIP. An error of write before the first byte is
// returned as a problem. A later error aborts the connection, so that the client does not treat a partial file as complete. contentType is
// the media type of the response. The browser saves it under the name in as (see Attachment).
//
//	return files.Stream("facturen-2026.zip", "application/zip", func(w io.Writer) error {
//		z := zip.NewWriter(w)
//		for _, invoice := range invoices {
//			f, err := files.Open(ctx, host.Client, invoice.File)
//			…
//			part, err := z.CreateHeader(&zip.FileHeader{Name: …, Method: zip.Store}) // a PDF is compressed already
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

// attachment is a response whose headers are sent with its first byte.
type attachment struct {
	w      http.ResponseWriter
	ctx    context.Context
	header http.Header
	begun  bool
	failed error // error of w: the client disconnected
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

// end completes the response. After an error, it sends a problem if no byte has been sent yet, and otherwise aborts the connection.
func (a *attachment) end(err error) {
	switch {
	case err == nil || errors.Is(err, http.ErrBodyNotAllowed): // the response to a HEAD request
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
