package portal

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/modules/registry"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
)

// KeyAnswer describes the label that owns a host (3-label-fields, 7.4-label-key-extra). Values that are not set are null.
type KeyAnswer struct {
	Key                   string  `json:"label_key" doc:"Key of the label"`
	Region                *string `json:"region" doc:"AWS region of the Cognito user pool"`
	UserPoolID            *string `json:"user_pool_id" doc:"Id of the Cognito user pool"`
	ClientID              *string `json:"client_id" doc:"Id of the app client of the user pool"`
	Issuer                *string `json:"issuer" doc:"Issuer of the id tokens"`
	AuthorizationEndpoint *string `json:"authorization_endpoint" doc:"Address for signing in at the identity provider; the portal itself does not use it"`
	LogoutEndpoint        *string `json:"logout_endpoint" doc:"Address for signing out at the identity provider; the portal itself does not use it"`
	RevokeTokenEndpoint   *string `json:"revoke_token_endpoint" doc:"Address for revoking tokens at the identity provider; the portal itself does not use it"`
	CognitoActive         bool    `json:"cognito_active" doc:"Whether the label signs in with a Cognito user pool"`
	LogoutURL             *string `json:"logout_redirect_url" doc:"Address that opens after signing out"`
	PrivacyURL            *string `json:"privacy_and_cookie_url" doc:"Address of the privacy statement"`
	GATrackingID          *string `json:"ga_tracking_id" doc:"Tracking id of Google Analytics; the portal itself calls no analytics service"`
	LogoURL               string  `json:"logo_url" doc:"Address of the logo"`
}

// StyleAnswer contains the colors and texts of a label (3-label-style-fields, 3-label-style-names).
type StyleAnswer struct {
	HeaderBG        string `json:"header_bg_color" doc:"Color of the header, as #rrggbb"`
	PageTitle       string `json:"page_title" doc:"Title of the browser window"`
	Primary         string `json:"primary_color" doc:"Main color, as #rrggbb"`
	Secondary       string `json:"secondary_color" doc:"Second color, as #rrggbb"`
	Tertiary        string `json:"tertiary_color" doc:"Third color, as #rrggbb"`
	PrimaryText     string `json:"primary_color_text_color" doc:"Color of text on the main color, as #rrggbb"`
	Font            string `json:"font_family_web" doc:"Font family of text"`
	TableRowOdd     string `json:"table_row_odd_color" doc:"Color of odd table rows, as #rrggbb"`
	TableRowEven    string `json:"table_row_even_color" doc:"Color of even table rows, as #rrggbb"`
	EmailButtonBG   string `json:"email_button_bg_color" doc:"Color of buttons in emails, as #rrggbb"`
	EmailButtonText string `json:"email_button_text_color" doc:"Color of text on buttons in emails, as #rrggbb"`
}

// InfoAnswer contains the contact details of a label (3-label-info-fields).
type InfoAnswer struct {
	Email   string       `json:"email" doc:"E-mail address of customer service"`
	Name    string       `json:"name" doc:"Name of the label"`
	Opening []OpenAnswer `json:"opening_hours" doc:"Opening hours of customer service"`
	Phone   string       `json:"phone_number" doc:"Phone number of customer service"`
}

// OpenAnswer is one line of the opening hours.
type OpenAnswer struct {
	Text string `json:"text" doc:"Name of the line, such as Monday to Friday"`
	From string `json:"from" doc:"Time of opening as HH:MM; empty: closed"`
	To   string `json:"to" doc:"Time of closing as HH:MM; empty: closed"`
}

type byKey struct {
	Key string `path:"key" maxLength:"64" doc:"Key of the label"`
}

var errUnknownLabel = problem.Fail(http.StatusNotFound, problem.CodeUnknownLabel)

func (p *Portal) labelRoutes(api huma.API) {
	type in struct {
		Domain string `query:"domain" required:"true" maxLength:"300" doc:"Host name"`
	}
	labelRoute(api, "labelOfHost", "/labels/key", "Find the label that owns a host", func(_ context.Context, in *in) (*KeyAnswer, error) {
		l := p.Labels.ByHost(label.NormalHost(in.Domain))
		if l == nil {
			return nil, errUnknownLabel // 1-unknown-host
		}
		return keyAnswer(l), nil
	})
	// 7.4-get-label-style
	labelRoute(api, "labelStyle", "/labels/{key}/style", "Get the colors, font and page title of a label", func(_ context.Context,
		in *byKey) (*StyleAnswer, error) {
		l := p.Labels.ByKey(in.Key)
		if l == nil {
			return nil, errUnknownLabel
		}
		s := l.Style
		return &StyleAnswer{HeaderBG: s.HeaderBG, PageTitle: s.PageTitle, Primary: s.Primary, Secondary: s.Secondary, Tertiary: s.Tertiary,
			PrimaryText: s.PrimaryText, Font: s.Font, TableRowOdd: s.TableRowOdd, TableRowEven: s.TableRowEven,
			EmailButtonBG: s.EmailButtonBG, EmailButtonText: s.EmailButtonText}, nil
	})
	// 7.4-get-label-info
	labelRoute(api, "labelInfo", "/labels/{key}/info", "Get the contact details of a label", func(_ context.Context, in *byKey) (*InfoAnswer,
		error) {
		l := p.Labels.ByKey(in.Key)
		if l == nil {
			return nil, errUnknownLabel
		}
		a := &InfoAnswer{Email: l.Info.Email, Name: l.Info.Name, Phone: l.Info.Phone, Opening: []OpenAnswer{}}
		for _, h := range l.Info.Opening {
			a.Opening = append(a.Opening, OpenAnswer{h.Text, h.From, h.To})
		}
		return a, nil
	})
	// 7.4-get-label-logo, 7.4-get-label-favicon
	for kind, id := range map[string]string{"logo": "labelLogo", "logo-on-header": "labelLogoOnHeader", "logo-mail": "labelLogoMail",
		"favicon": "labelFavicon", "app-icon": "labelAppIcon", "illustration": "labelIllustration", "font": "labelFont",
		"font-extended": "labelFontExtended", "heading-font": "labelHeadingFont"} {
		p.assetRoute(api, kind, id)
	}
	p.projectPictureRoute(api)
	p.pictureRoute(api)
}

type assetIn struct {
	Key     string `path:"key" maxLength:"64" doc:"Key of the label"`
	Version string `query:"v" maxLength:"64" doc:"Hash of the content; with the current hash the response may be cached forever"`
}

type assetOut struct {
	ContentType string `header:"Content-Type"`
	Cache       string `header:"Cache-Control"`
	Policy      string `header:"Content-Security-Policy"`
	Body        []byte
}

// assetRoute registers the operation for one file of a label. An SVG is supplied by the operator, so it may be displayed but may not run
// scripts or load anything, even when it is opened directly.
func (p *Portal) assetRoute(api huma.API, kind, id string) {
	module.Route(api, noLabel(id, "/labels/{key}/"+kind, "Get the "+kind+" of a label",
		"For everybody, on every host. 404 unknown_label when there is no such label, not_found when the label has no such file."), module.Public,
		module.Read,
		func(_ context.Context, in *assetIn) (*assetOut, error) {
			return p.asset(in.Key, in.Version, func(l *label.Label) (label.Asset, error) { return l.AssetOf(kind) })
		})
}

type projectPictureIn struct {
	Key     string `path:"key" maxLength:"64" doc:"Key of the label"`
	Project string `path:"project" maxLength:"64" doc:"Project code"`
	Version string `query:"v" maxLength:"64" doc:"Hash of the content; with the current hash the response may be cached forever"`
}

// projectPictureRoute registers the operation for project pictures (9-project-picture).
func (p *Portal) projectPictureRoute(api huma.API) {
	module.Route(api, noLabel("labelProjectPicture", "/labels/{key}/projects/{project}/picture", "Get the picture of a project",
		"For everybody, on every host. 404 unknown_label when there is no such label, not_found when the label has no picture of the project."),
		module.Public, module.Read,
		func(_ context.Context, in *projectPictureIn) (*assetOut, error) {
			return p.asset(in.Key, in.Version, func(l *label.Label) (label.Asset, error) { return l.ProjectPicture(in.Project) })
		})
}

type pictureIn struct {
	Key     string `path:"key" maxLength:"64" doc:"Key of the label"`
	Name    string `path:"name" maxLength:"64" doc:"Kind and name of the picture, such as illustration-empty, photo-dashboard or promo-winter"`
	Version string `query:"v" maxLength:"64" doc:"Hash of the content; with the current hash the response may be cached forever"`
}

// pictureRoute registers the operation for illustrations and photos of labels (9-brand-illustrations, 9-brand-photos).
func (p *Portal) pictureRoute(api huma.API) {
	module.Route(api, noLabel("labelPicture", "/labels/{key}/pictures/{name}", "Get an illustration or photo of a label",
		"For everybody, on every host. 404 unknown_label when there is no such label, not_found when the label has no such picture."),
		module.Public, module.Read,
		func(_ context.Context, in *pictureIn) (*assetOut, error) {
			return p.asset(in.Key, in.Version, func(l *label.Label) (label.Asset, error) { return l.Picture(in.Name) })
		})
}

// asset returns a file of a label. It may be cached for a long time if version is the hash of the content.
func (p *Portal) asset(key, version string, of func(*label.Label) (label.Asset, error)) (*assetOut, error) {
	l := p.Labels.ByKey(key)
	if l == nil {
		return nil, errUnknownLabel
	}
	a, err := of(l)
	if err != nil {
		return nil, problem.Fail(http.StatusNotFound, problem.CodeNotFound)
	}
	out := &assetOut{a.Type, "public, max-age=300", "sandbox; default-src 'none'; base-uri 'none'; frame-ancestors 'none'", a.Data}
	if version == a.Hash {
		out.Cache = "public, max-age=31536000, immutable"
	}
	return out, nil
}

func keyAnswer(l *label.Label) *KeyAnswer {
	i := l.Identity
	return &KeyAnswer{Key: l.Key, Region: optional(i.Region), UserPoolID: optional(i.UserPoolID), ClientID: optional(i.ClientID),
		Issuer:                optional(i.Issuer),
		AuthorizationEndpoint: optional(i.AuthorizationEndpoint), LogoutEndpoint: optional(i.LogoutEndpoint),
		RevokeTokenEndpoint: optional(i.RevokeTokenEndpoint), CognitoActive: i.Provider == "cognito",
		LogoutURL: optional(l.LogoutURL), PrivacyURL: optional(l.Absolute(l.PrivacyURL)), GATrackingID: optional(l.GATrackingID),
		LogoURL: l.AssetURL("logo")}
}

// noLabel returns an operation that also works on a host without a label.
func noLabel(id, path, summary, description string) huma.Operation {
	return huma.Operation{OperationID: id, Method: http.MethodGet, Path: path, Summary: summary, Description: description,
		Extensions: map[string]any{registry.ExtLabel: "optional"}}
}

func labelRoute[I, O any](api huma.API, id, path, summary string, h func(context.Context, *I) (*O, error)) {
	type out struct {
		Cache string `header:"Cache-Control"`
		Body  *O
	}
	module.Route(api, noLabel(id, path, summary, "For everybody, on every host. 404 unknown_label when there is no such label."),
		module.Public, module.Read, func(ctx context.Context, in *I) (*out, error) {
			a, err := h(ctx, in)
			if err != nil {
				return nil, err
			}
			return &out{"no-cache", a}, nil
		})
}
