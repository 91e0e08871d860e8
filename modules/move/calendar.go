package move

import (
	"bytes"
	"strings"
	"time"

	"github.com/emersion/go-ical"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/value"
)

// Calendar returns a move as an iCalendar file (RFC 5545) with all-day events: the first day at the new address and, if set, the last day
// of delivery at the old one. The UIDs of a move are stable, so that opening a newer file updates the existing entries. METHOD is left out:
// it makes the file an invitation, which requires an organizer (RFC 5546, 3.2.1), and some calendars reject an invitation without one. The
// text is in English for locale "en", and otherwise in Dutch.
func Calendar(f Filed, locale string) ([]byte, error) {
	texts := map[string]string{"start": "Verhuizing: ", "stop": "Laatste dag levering: ", "from": "Van", "to": "Naar",
		"asked": "Je verhuizing is aangevraagd."}
	if locale == "en" {
		texts = map[string]string{"start": "Moving: ", "stop": "Last day of delivery: ", "from": "From", "to": "To",
			"asked": "You have asked for this move."}
	}
	about := texts["from"] + ": " + f.Old.line() + "\n" + texts["to"] + ": " + f.New.line()
	if f.State == module.Pending {
		about += "\n\n" + texts["asked"]
	}
	c := ical.NewCalendar()
	c.Props.SetText(ical.PropVersion, "2.0")
	c.Props.SetText(ical.PropProductID, "-//Wattle//move//NL")
	day := func(name string, d value.Day, summary string, at Address) {
		e := ical.NewEvent()
		e.Props.SetText(ical.PropUID, f.ID+"-"+name+"@move.wattle")
		e.Props.SetDateTime(ical.PropDateTimeStamp, f.changed())
		e.Props.SetDate(ical.PropDateTimeStart, d.In(time.UTC))
		e.Props.SetDate(ical.PropDateTimeEnd, d.AddDays(1).In(time.UTC)) // exclusive
		e.Props.SetText(ical.PropSummary, summary+at.line())
		e.Props.SetText(ical.PropLocation, at.line())
		e.Props.SetText(ical.PropDescription, about)
		e.Props.SetText(ical.PropTransparency, "TRANSPARENT") // the day is not marked as busy
		e.SetStatus(ical.EventTentative)
		if f.State == module.Processed {
			e.SetStatus(ical.EventConfirmed)
		}
		c.Children = append(c.Children, e.Component)
	}
	day("start", f.Start, texts["start"], f.New)
	if f.Stop != nil {
		day("stop", *f.Stop, texts["stop"], f.Old)
	}
	var out bytes.Buffer
	if err := ical.NewEncoder(&out).Encode(c); err != nil {
		return nil, err
	}
	return fold(out.Bytes()), nil
}

// changed returns the time of the last change of the move.
func (f Filed) changed() time.Time {
	if f.Decided != nil {
		return f.Decided.UTC()
	}
	return f.Filed.UTC()
}

// line returns the address on one line.
func (a Address) line() string {
	return strings.Join(strings.Fields(strings.TrimSpace(a.Street+" "+string(a.Number)+" "+a.Extension)+", "+a.ZipCode+" "+a.City), " ")
}

// maxLine is the maximum length of a line in bytes (RFC 5545, 3.1).
const maxLine = 75

// fold breaks lines that are too long, but never inside a character, where the encoder would.
func fold(in []byte) []byte {
	var out bytes.Buffer
	for line := range bytes.SplitSeq(bytes.TrimSuffix(in, []byte("\r\n")), []byte("\r\n")) {
		room := maxLine
		for len(line) > room {
			at := room
			for line[at]&0xC0 == 0x80 { // inside a character
				at--
			}
			out.Write(line[:at])
			out.WriteString("\r\n ")
			line, room = line[at:], maxLine-1
		}
		out.Write(line)
		out.WriteString("\r\n")
	}
	return out.Bytes()
}
