package address

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/wattle-portal/wattle/core/source"
	"github.com/wattle-portal/wattle/core/value"
)

const (
	pdokPageSize = 100 // addresses per page; the maximum of the register
	maxPDOKPages = 5   // at most 500 extensions to choose from
)

// pdokURL returns the URL of a query to PDOK Locatieserver v3.1, starting after skip addresses. It uses only documented parameters, because
// the register rejects others.
func pdokURL(base string, p ZipNumber, skip int) string {
	q := url.Values{"fq": {"type:adres", "postcode:" + p.ZipCode, "huisnummer:" + p.Number}, "rows": {strconv.Itoa(pdokPageSize)},
		"start": {strconv.Itoa(skip)},
		"fl":    {"type,straatnaam,woonplaatsnaam,postcode,huisnummer,huisletter,huisnummertoevoeging,huis_nlt"}}
	return strings.TrimRight(base, "/") + "/free?" + q.Encode()
}

// pdokResponse contains the fields of a response that this module uses. numFound also counts similar addresses, so it shows only whether
// there may be more.
type pdokResponse struct {
	Response *struct {
		Found int        `json:"numFound"`
		Docs  []*pdokDoc `json:"docs"`
	} `json:"response"`
}

type pdokDoc struct {
	Type      string `json:"type"`
	Street    string `json:"straatnaam"`
	City      string `json:"woonplaatsnaam"`
	ZipCode   string `json:"postcode"`
	Number    Number `json:"huisnummer"`
	Letter    string `json:"huisletter"`
	Addition  Number `json:"huisnummertoevoeging"`
	HouseText string `json:"huis_nlt"` // number, letter and addition, such as 12A-2
}

// parsePDOK returns the addresses at a postal code and house number; more reports whether the next page may contain others. It returns
// source.ErrDown for an invalid response, because that does not prove that the address is unknown.
func parsePDOK(data []byte, p ZipNumber) (at []Address, more bool, err error) {
	var resp pdokResponse
	if err := json.Unmarshal(data, &resp); err != nil {
		return nil, false, fmt.Errorf("%w: %w", source.ErrDown, err)
	}
	if resp.Response == nil || resp.Response.Docs == nil || len(resp.Response.Docs) == 0 && resp.Response.Found != 0 {
		return nil, false, fmt.Errorf("%w: not a response of the register", source.ErrDown)
	}
	for _, d := range resp.Response.Docs {
		if d == nil || d.Type != "adres" || value.NormalizeZipCode(d.ZipCode) != p.ZipCode || string(d.Number) != p.Number {
			continue // a similar address, not the requested one
		}
		a := Address{Street: tidy(d.Street), Number: d.Number, Extension: d.extension(), ZipCode: p.ZipCode, City: tidy(d.City)}
		if a.Street == "" || a.City == "" || max(utf8.RuneCountInString(a.Street), utf8.RuneCountInString(a.City)) > maxName ||
			utf8.RuneCountInString(a.Extension) > maxExtension {
			continue
		}
		at = append(at, a)
	}
	return at, len(resp.Response.Docs) >= pdokPageSize, nil
}

func (d pdokDoc) extension() string {
	if d.Letter == "" && d.Addition == "" {
		return tidy(strings.TrimLeft(strings.TrimPrefix(d.HouseText, string(d.Number)), "- "))
	}
	return tidy(strings.Trim(d.Letter+"-"+string(d.Addition), "-"))
}
