package move

import (
	"bytes"
	"strings"
	"time"

	"github.com/emersion/go-ical"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/value"
)

// Calendar is a move as a file for the customer's calendar (RFC 5545): the first day at the new address and, when it was chosen, the
// last of delivery at the old, all day long. The same move has the same UIDs, so that a file that is opened again changes the
// entries that are there. It has no METHOD: that makes a file an invitation, which needs an organizer (RFC 5546, 3.2.1), and some
// calendars refuse one without. Any locale but "en" is Dutch.
func Calendar(f Filed, locale string) ([]byte, error) {
	say := map[string]string{"start": "Verhuizing: ", "stop": "Laatste dag levering: ", "from": "Van", "to": "Naar", "asked": "Je verhuizing is aangevraagd."}
	if locale == "en" {
		say = map[string]string{"start": "Moving: ", "stop": "Last day of delivery: ", "from": "From", "to": "To", "asked": "You have asked for this move."}
	}
	about := say["from"] + ": " + f.Old.line() + "\n" + say["to"] + ": " + f.New.line()
	if f.State == module.Pending {
		about += "\n\n" + say["asked"]
	}
	c := ical.NewCalendar()
	c.Props.SetText(ical.PropVersion, "2.0")
	c.Props.SetText(ical.PropProductID, "-//Wattle//move//NL")
	day := func(name string, d value.Day, summary string, at Address) {
		e := ical.NewEvent()
		e.Props.SetText(ical.PropUID, f.ID+"-"+name+"@move.wattle")
		e.Props.SetDateTime(ical.PropDateTimeStamp, f.changed())
		e.Props.SetDate(ical.PropDateTimeStart, d.In(time.UTC))
		e.Props.SetDate(ical.PropDateTimeEnd, d.AddDays(1).In(time.UTC)) // not part of it
		e.Props.SetText(ical.PropSummary, summary+at.line())
		e.Props.SetText(ical.PropLocation, at.line())
		e.Props.SetText(ical.PropDescription, about)
		e.Props.SetText(ical.PropTransparency, "TRANSPARENT") // one is not busy all day
		e.SetStatus(ical.EventTentative)
		if f.State == module.Processed {
			e.SetStatus(ical.EventConfirmed)
		}
		c.Children = append(c.Children, e.Component)
	}
	day("start", f.Start, say["start"], f.New)
	if f.Stop != nil {
		day("stop", *f.Stop, say["stop"], f.Old)
	}
	var out bytes.Buffer
	if err := ical.NewEncoder(&out).Encode(c); err != nil {
		return nil, err
	}
	return fold(out.Bytes()), nil
}

// changed is when the move last changed.
func (f Filed) changed() time.Time {
	if f.Decided != nil {
		return f.Decided.UTC()
	}
	return f.Filed.UTC()
}

// line writes an address on one line.
func (a Address) line() string {
	return strings.Join(strings.Fields(strings.TrimSpace(a.Street+" "+string(a.Number)+" "+a.Extension)+", "+a.ZipCode+" "+a.City), " ")
}

// lineMax is how many bytes a line may have (RFC 5545, 3.1).
const lineMax = 75

// fold breaks the lines that are too long, never inside a character: the encoder does not.
func fold(in []byte) []byte {
	var out bytes.Buffer
	for line := range bytes.SplitSeq(bytes.TrimSuffix(in, []byte("\r\n")), []byte("\r\n")) {
		room := lineMax
		for len(line) > room {
			at := room
			for line[at]&0xC0 == 0x80 { // in the middle of a character
				at--
			}
			out.Write(line[:at])
			out.WriteString("\r\n ")
			line, room = line[at:], lineMax-1
		}
		out.Write(line)
		out.WriteString("\r\n")
	}
	return out.Bytes()
}
