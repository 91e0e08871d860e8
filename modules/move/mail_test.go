package move

import (
	"strconv"
	"testing"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/value"
)

func TestMailGolden(t *testing.T) {
	mails := map[string]module.Mail{}
	stop := value.Day{Year: 2026, Month: 12, Day: 31}
	for name, write := range map[string]mailFunc{"requested": mailRequested, "processed": mailProcessed, "rejected": mailRejected} {
		for _, locale := range []string{"nl", "en", "de"} {
			for _, reason := range []string{"", "Dubbel {aangevraagd}"} {
				if reason != "" && name != "rejected" {
					continue // only a rejection has a reason
				}
				for _, whole := range []bool{true, false} {
					m := Move{Old: Address{Street: "Molenweg", Number: "2", Extension: "bis", ZipCode: "9861GT", City: "Grootegast"},
						New: Address{Street: "Kerkstraat", Number: "1", ZipCode: "1234AB", City: "Utrecht"}, Start: value.Day{Year: 2026, Month: 12, Day: 21},
						Unchecked: whole}
					if whole {
						m.Stop = &stop
					}
					mails[name+" "+locale+" "+reason+" "+strconv.FormatBool(whole)] = write(locale, m, reason)
				}
			}
		}
	}
	moduletest.Mails(t, "testdata/mails.json", mails)
}
