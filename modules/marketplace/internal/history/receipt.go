package history

import (
	"fmt"
	"io"
	"slices"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"

	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/ledger"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/notice"
)

// Receipt is the history of a participation for its owner, printed as a PDF.
type Receipt struct {
	Locale        string
	Zone          *time.Location
	Made          time.Time
	Label         string // name of the brand
	Holder        string
	Participation string
	Project       string
	Address       string
	Entries       []Entry // newest first
	Shares        int64   // current number of shares
	Cut           bool    // older entries are left out
}

// Dimensions of a receipt in millimeters; the width between the margins is 170.
const (
	pageMargin = 20.0
	lineHeight = 6.0
)

// columns are the columns of the table; numbers are right-aligned.
var columns = []struct {
	width float64
	align string
}{{24, "L"}, {66, "L"}, {26, "L"}, {18, "R"}, {18, "R"}, {18, "R"}}

func (r Receipt) say(nl, en string) string {
	if r.Locale == "en" {
		return en
	}
	return nl
}

// signed returns "+12" or "-3", and an empty string for 0.
func signed(n int64) string {
	switch {
	case n > 0:
		return "+" + notice.Grouped(n)
	case n < 0:
		return "-" + notice.Grouped(-n)
	}
	return ""
}

// by returns who made an entry; empty for the portal itself, whose entries result from those of others.
func (r Receipt) by(e Entry) string {
	switch {
	case e.Kind == ledger.Issued, e.Kind == ledger.Corrected, e.By == "key": // records imported by the back office
		return r.say("administratie", "back office")
	case e.By == "customer":
		return r.say("een lid", "a member")
	case e.By == "staff":
		return r.say("een medewerker", "staff")
	}
	return r.say("het portaal", "the portal")
}

// Write writes a PDF. Its fonts contain the letters of all European languages.
func (r Receipt) Write(w io.Writer) error {
	title := r.say("Verloop van je delen", "History of your shares")
	pdf := fpdf.New("P", "mm", "A4", "")
	pdf.AddUTF8FontFromBytes("go", "", goregular.TTF)
	pdf.AddUTF8FontFromBytes("go", "B", gobold.TTF)
	pdf.SetTitle(title, true)
	pdf.SetLang(r.say("nl-NL", "en-GB"))
	pdf.SetCreationDate(r.Made)
	pdf.SetModificationDate(r.Made)
	pdf.SetMargins(pageMargin, pageMargin, pageMargin)
	pdf.SetAutoPageBreak(true, pageMargin)
	pdf.AliasNbPages("")
	made := notice.DayText(value.DayOf(r.Made.In(r.Zone))) + " " + r.Made.In(r.Zone).Format("15:04")
	pdf.SetFooterFunc(func() {
		pdf.SetY(-15)
		pdf.SetFont("go", "", 8)
		pdf.CellFormat(0, lineHeight, fmt.Sprintf(r.say("%s, gemaakt op %s, bladzijde %d van {nb}", "%s, made on %s, page %d of {nb}"),
			r.Participation, made, pdf.PageNo()), "", 0, "C", false, 0, "")
	})
	pdf.AddPage()
	pdf.SetFont("go", "", 10)
	pdf.CellFormat(0, lineHeight, r.Label, "", 1, "L", false, 0, "")
	pdf.SetFont("go", "B", 16)
	pdf.CellFormat(0, 12, title, "", 1, "L", false, 0, "")
	pdf.SetFont("go", "", 10)
	for _, f := range [][2]string{{r.say("Project", "Project"), r.Project}, {r.say("Nummer", "Number"), r.Participation},
		{r.say("Op naam van", "In the name of"), r.Holder}, {r.say("Adres", "Address"), r.Address},
		{r.say("Aantal delen nu", "Number of shares now"), notice.Grouped(r.Shares)}} {
		if f[1] == "" {
			continue
		}
		pdf.CellFormat(44, lineHeight, f[0], "", 0, "L", false, 0, "")
		pdf.MultiCell(0, lineHeight, f[1], "", "L", false)
	}
	pdf.Ln(lineHeight)
	r.table(pdf)
	if len(r.Entries) > 0 {
		pdf.Ln(lineHeight)
		pdf.SetFont("go", "", 8)
		pdf.MultiCell(0, 4, r.say("Kenmerk van de laatste regel: ", "Mark of the last line: ")+r.Entries[0].Hash, "", "L", false)
		pdf.MultiCell(0, 4, r.say("Aan dit kenmerk is te controleren dat er in het verloop niets is veranderd.",
			"This mark shows that nothing in the history has been changed."), "", "L", false)
	}
	return pdf.Output(w)
}

// table writes the entries, oldest first.
func (r Receipt) table(pdf *fpdf.Fpdf) {
	row := func(style, border string, cells ...string) {
		pdf.SetFont("go", style, 9)
		for i, c := range cells {
			pdf.CellFormat(columns[i].width, lineHeight, c, border, 0, columns[i].align, false, 0, "")
		}
		pdf.Ln(lineHeight)
	}
	head := func() {
		row("B", "B", r.say("Wanneer", "When"), r.say("Wat", "What"), r.say("Door", "By"), r.say("Delen", "Shares"),
			r.say("Te koop", "On offer"), r.say("Totaal", "Total"))
	}
	head()
	pdf.SetHeaderFunc(head) // repeated on the following pages
	if r.Cut {
		row("", "", "…", r.say("Oudere regels staan hier niet.", "Older lines are not shown here."))
	}
	for _, e := range slices.Backward(r.Entries) {
		row("", "", notice.DayText(e.Effective), e.Text(r.Locale), r.by(e), signed(e.Change.Share), notice.Grouped(e.After.OfferedShare()),
			notice.Grouped(e.After.Share))
	}
	pdf.SetHeaderFunc(nil)
}
