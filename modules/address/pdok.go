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
	pdokRows  = 100 // addresses an answer; the register gives no more
	pdokPages = 5   // nobody chooses from more than 500 extensions
)

// pdokURL asks PDOK Locatieserver v3.1 for the addresses of a place, from the one after skip on. Only what the register documents
// is sent: it refuses anything else.
func pdokURL(base string, p Place, skip int) string {
	q := url.Values{"fq": {"type:adres", "postcode:" + p.ZipCode, "huisnummer:" + p.Number}, "rows": {strconv.Itoa(pdokRows)},
		"start": {strconv.Itoa(skip)},
		"fl":    {"type,straatnaam,woonplaatsnaam,postcode,huisnummer,huisletter,huisnummertoevoeging,huis_nlt"}}
	return strings.TrimRight(base, "/") + "/free?" + q.Encode()
}

// pdokAnswer is as much of an answer as is used. numFound also counts what is only like the question, so it says no more than
// whether there may be more.
type pdokAnswer struct {
	Response *struct {
		Found int        `json:"numFound"`
		Docs  []*pdokDoc `json:"docs"`
	} `json:"response"`
}

type pdokDoc struct {
	Type     string `json:"type"`
	Street   string `json:"straatnaam"`
	City     string `json:"woonplaatsnaam"`
	ZipCode  string `json:"postcode"`
	Number   Number `json:"huisnummer"`
	Letter   string `json:"huisletter"`
	Addition Number `json:"huisnummertoevoeging"`
	Written  string `json:"huis_nlt"` // number, letter and addition: 12A-2
}

// readPDOK takes the addresses of a place out of an answer; more says that the next page may have others. Anything else than an
// answer of the register is an error: that is no "unknown address".
func readPDOK(data []byte, p Place) (at []Address, more bool, err error) {
	var answer pdokAnswer
	if err := json.Unmarshal(data, &answer); err != nil {
		return nil, false, fmt.Errorf("%w: %w", source.ErrDown, err)
	}
	if answer.Response == nil || answer.Response.Docs == nil || len(answer.Response.Docs) == 0 && answer.Response.Found != 0 {
		return nil, false, fmt.Errorf("%w: not an answer of the register", source.ErrDown)
	}
	for _, d := range answer.Response.Docs {
		if d == nil || d.Type != "adres" || value.NormaliseZipCode(d.ZipCode) != p.ZipCode || string(d.Number) != p.Number {
			continue // only like it
		}
		a := Address{Street: tidy(d.Street), Number: d.Number, Extension: d.extension(), ZipCode: p.ZipCode, City: tidy(d.City)}
		if a.Street == "" || a.City == "" || max(utf8.RuneCountInString(a.Street), utf8.RuneCountInString(a.City)) > maxName ||
			utf8.RuneCountInString(a.Extension) > maxExtension {
			continue
		}
		at = append(at, a)
	}
	return at, len(answer.Response.Docs) >= pdokRows, nil
}

func (d pdokDoc) extension() string {
	if d.Letter == "" && d.Addition == "" {
		return tidy(strings.TrimLeft(strings.TrimPrefix(d.Written, string(d.Number)), "- "))
	}
	return tidy(strings.Trim(d.Letter+"-"+string(d.Addition), "-"))
}
