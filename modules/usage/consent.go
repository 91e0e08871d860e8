package usage

import "time"

// Consent is whether a relation has agreed to the retrieval of historical meter data (3-consent-fields).
type Consent struct {
	ConsentPresent  bool       `json:"consentPresent" doc:"All connections with a smart meter have consent"`
	ConsentDateTime *time.Time `json:"consentDateTime" nullable:"true" doc:"When it was given last; null when it is not present"`
	RevokedDateTime *time.Time `json:"revokedDateTime" nullable:"true" doc:"When it was revoked; null when it is present or never was"`
	TextVersion     string     `json:"text_version" doc:"Of the text that a consent given now agrees to"`

	Connections []ConnectionConsent `json:"connections" nullable:"false"`
}

// ConnectionConsent is the consent for one connection.
type ConnectionConsent struct {
	EANCode         string     `json:"ean_code"`
	Commodity       Commodity  `json:"commodity" enum:"GAS,ELECTRICITY"`
	Supported       bool       `json:"supported" doc:"The meter can be read from afar; without that there is nothing to agree to"`
	ConsentPresent  bool       `json:"consentPresent"`
	ConsentDateTime *time.Time `json:"consentDateTime" nullable:"true"`
	RevokedDateTime *time.Time `json:"revokedDateTime" nullable:"true"`
	TextVersion     string     `json:"text_version,omitempty" doc:"Of the text that was agreed to"`
}

// decision is one line of the history of a connection's consent: lines are added, never changed.
type decision struct {
	EANCode     string `bun:"ean_code"`
	Given       bool
	At          time.Time
	TextVersion string
}

// consentOf tells how a relation's connections stand by their latest decisions (4-consent-give-revoke).
func consentOf(connections []Connection, latest map[string]decision, textVersion string) Consent {
	out := Consent{TextVersion: textVersion, Connections: []ConnectionConsent{}}
	smart, given := 0, 0
	var gave, revoked *time.Time
	for _, c := range connections {
		one := ConnectionConsent{EANCode: c.EANCode, Commodity: c.Commodity, Supported: c.MeterType == Smart}
		if one.Supported {
			smart++
			if d, ok := latest[c.EANCode]; ok && d.Given {
				given++
				one.ConsentPresent, one.ConsentDateTime, one.TextVersion = true, &d.At, d.TextVersion
				gave = later(gave, &d.At)
			} else if ok {
				one.RevokedDateTime = &d.At
				revoked = later(revoked, &d.At)
			}
		}
		out.Connections = append(out.Connections, one)
	}
	if out.ConsentPresent = smart > 0 && smart == given; out.ConsentPresent {
		out.ConsentDateTime = gave
	} else {
		out.RevokedDateTime = revoked
	}
	return out
}

func later(a, b *time.Time) *time.Time {
	if a == nil || b.After(*a) {
		return b
	}
	return a
}

// decide lists the decisions that giving or revoking adds: none where nothing changes. A consent to another version of the text
// is a new one. Giving is possible for smart meters only; asked for is the EAN of one connection, or empty for all of them.
func decide(connections []Connection, latest map[string]decision, given bool, ean, textVersion string, now time.Time) []decision {
	var out []decision
	for _, c := range connections {
		if c.MeterType != Smart || ean != "" && c.EANCode != ean {
			continue
		}
		d, known := latest[c.EANCode]
		same := d.Given == given && (!given || d.TextVersion == textVersion)
		if known && same || !known && !given {
			continue
		}
		out = append(out, decision{c.EANCode, given, now, textVersion})
	}
	return out
}
