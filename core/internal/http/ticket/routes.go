package ticket

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humachi"

	"github.com/wattle-portal/wattle/core/files"
	"github.com/wattle-portal/wattle/core/internal/http/web"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
)

// DownloadRequest names the file to download.
type DownloadRequest struct {
	Path string `json:"path" minLength:"1" maxLength:"2000" doc:"Path and query of a download, such as /api/v0/invoices/F2026-0042/file"`
}

// DownloadAddress is an address from which a browser can load the file once.
type DownloadAddress struct {
	URL       string `json:"url" doc:"Address from which a browser can load the file, once"`
	ExpiresIn int    `json:"expires_in" doc:"Seconds until the address expires"`
}

type createInput struct{ Body DownloadRequest }

type createOutput struct{ Body DownloadAddress }

type useInput struct {
	Ticket string `path:"ticket" maxLength:"100" doc:"Last part of the address that createDownload returned"`
}

// Routes registers POST /downloads and GET /downloads/{ticket}.
func (s *Service) Routes(a huma.API) {
	// The effect is Read: anyone who may read a file may create a ticket for it, including an impersonator.
	module.Route(a, huma.Operation{OperationID: "createDownload", Method: http.MethodPost, Path: "/downloads",
		Summary:     "Create a single-use address for downloading a file",
		Description: "For signed-in callers, also impersonators. The address works once, for a minute, and only while the session of the caller lasts. 400 when path is not a download, 403 when the caller may not load it, 404 module_not_enabled, 429 after 100 addresses in ten minutes."}, module.Customer, module.Read,
		func(ctx context.Context, in *createInput) (*createOutput, error) {
			c, ok := web.ClaimsOf(ctx)
			if !ok {
				return nil, problem.Fail(http.StatusUnauthorized, problem.CodeUnauthorized)
			}
			ticket, err := s.create(ctx, label.Of(ctx), c, in.Body.Path)
			if err != nil {
				return nil, err
			}
			return &createOutput{DownloadAddress{web.Prefix + "/downloads/" + ticket, int(Lifetime.Seconds())}}, nil
		})
	files.Download(a, huma.Operation{OperationID: "download", Path: "/downloads/{ticket}",
		Summary:     "Download the file of a single-use address",
		Description: "For everybody who has the address. Uses it up. 410 download_expired when the address is unknown, used or too old, or when its session has ended; also the problems of the operation that serves the file."}, module.Public,
		func(ctx context.Context, in *useInput) (*huma.StreamResponse, error) {
			res, err := s.redeem(ctx, label.Of(ctx), in.Ticket)
			if err != nil {
				return nil, err
			}
			if res.StatusCode != http.StatusOK {
				return nil, problemOf(res)
			}
			return &huma.StreamResponse{Body: func(c huma.Context) { copyFile(c, res) }}, nil
		})
}

// problemOf decodes the problem that the operation returned.
func problemOf(res *http.Response) error {
	defer func() { _ = res.Body.Close() }() // the body has been decoded
	p := &problem.Problem{}
	if json.NewDecoder(res.Body).Decode(p) != nil || p.Code == "" || p.Status < 400 {
		return fmt.Errorf("ticket: the operation returned %d without a problem", res.StatusCode)
	}
	return p
}

// copyFile copies the file to the caller while it is received.
func copyFile(c huma.Context, res *http.Response) {
	defer func() { _ = res.Body.Close() }() // copied completely, or the caller has disconnected
	_, w := humachi.Unwrap(c)
	for _, name := range []string{"Content-Type", "Content-Disposition", "Content-Length", "Last-Modified"} {
		if v := res.Header.Get(name); v != "" {
			w.Header().Set(name, v)
		}
	}
	if w.Header().Get("Content-Disposition") == "" {
		w.Header().Set("Content-Disposition", "attachment") // never shown as a page of the portal
	}
	w.WriteHeader(http.StatusOK)
	if _, err := io.Copy(w, res.Body); err != nil && !errors.Is(err, http.ErrBodyNotAllowed) {
		panic(http.ErrAbortHandler) // an incomplete file must not look complete; the operation has logged why
	}
}
