package portal

import (
	"context"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/http/web"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
)

// PageAnswer is the text of a legal or help page in the language of the call.
type PageAnswer struct {
	Slug   string `json:"slug" doc:"Slug of the page"`
	Locale string `json:"locale" enum:"nl,en" doc:"Language of title and html"`
	Title  string `json:"title" doc:"Title of the page"`
	HTML   string `json:"html" doc:"Sanitized HTML: headings from level 2, paragraphs, lists, tables, emphasis, quotations and links"`
}

// pageRoute registers the operation for legal and help pages of the label (9-label-pages). A page that is not public requires a session of
// the label, with any role.
func (p *Portal) pageRoute(api huma.API) {
	type in struct {
		Slug  string `path:"slug" maxLength:"60" doc:"Slug of the page"`
		Known string `header:"If-None-Match" maxLength:"200" doc:"ETag of the text that the caller has"`
	}
	type out struct {
		Status int
		ETag   string `header:"ETag"`
		Cache  string `header:"Cache-Control"`
		Vary   string `header:"Vary"`
		Body   *PageAnswer
	}
	module.Route(api, huma.Operation{OperationID: "page", Method: http.MethodGet, Path: "/pages/{slug}",
		Summary: "Get the text of a legal or help page",
		Description: "For everybody when the page is public, otherwise for every session of the label: 401 unauthorized without one. The language is that of Accept-Language. " +
			"304 when the caller has the text already, 404 not_found when the label has no such page.",
		Responses: map[string]*huma.Response{"304": {Description: "The caller has the current text"}}}, module.Public, module.Read,
		func(ctx context.Context, in *in) (*out, error) {
			page := label.Of(ctx).Page(in.Slug)
			if page == nil {
				return nil, problem.Fail(http.StatusNotFound, problem.CodeNotFound)
			}
			cache := "no-cache"
			if !page.Public {
				if _, ok := web.ClaimsOf(ctx); !ok {
					return nil, problem.Fail(http.StatusUnauthorized, problem.CodeUnauthorized)
				}
				cache = "private, no-cache"
			}
			locale := scope.Of(ctx).Locale
			text, ok := page.HTML[locale]
			if !ok {
				locale, text = "nl", page.HTML["nl"]
			}
			answer := &PageAnswer{page.Slug, locale, page.Title[locale], text.HTML}
			o := &out{Status: http.StatusOK, ETag: `W/"` + text.Hash + `"`, Cache: cache, Vary: web.HeaderBranding +
				", Accept-Language, Authorization", Body: answer}
			if strings.Contains(in.Known, text.Hash) {
				o.Status, o.Body = http.StatusNotModified, nil
			}
			return o, nil
		})
}
