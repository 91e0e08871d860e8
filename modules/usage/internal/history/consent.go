package history

import (
	"time"

	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
)

// Consent is a relation's consent to the retrieval of historical meter data (3-consent-fields).
type Consent struct {
	ConsentPresent  bool       `json:"consentPresent" doc:"Whether all connections with a smart meter have consent"`
	ConsentDateTime *time.Time `json:"consentDateTime" nullable:"true" doc:"Time of the last consent; null: no consent"`
	RevokedDateTime *time.Time `json:"revokedDateTime" nullable:"true" doc:"Time of the last revocation; null: consent is present or was never given"`
	TextVersion     string     `json:"text_version" doc:"Version of the current consent text"`

	Connections []ConnectionConsent `json:"connections" nullable:"false" doc:"Consent for each connection"`
}

// ConnectionConsent is the consent for one connection.
type ConnectionConsent struct {
	EANCode         string          `json:"ean_code" doc:"EAN code of the connection"`
	Commodity       meter.Commodity `json:"commodity" enum:"GAS,ELECTRICITY" doc:"What is supplied over the connection"`
	Supported       bool            `json:"supported" doc:"Whether the meter is smart, which consent requires"`
	ConsentPresent  bool            `json:"consentPresent" doc:"Whether the connection has consent"`
	ConsentDateTime *time.Time      `json:"consentDateTime" nullable:"true" doc:"Time of the consent; null: no consent"`
	RevokedDateTime *time.Time      `json:"revokedDateTime" nullable:"true" doc:"Time of the revocation; null: not revoked"`
	TextVersion     string          `json:"text_version,omitempty" doc:"Version of the text that the customer agreed to"`
}

// Decision is an entry in the history of a connection's consent. Entries are only added.
type Decision struct {
	EANCode     string `bun:"ean_code"`
	Given       bool
	At          time.Time
	TextVersion string
}

// ConsentStatus returns the consent of a relation from the latest decision per connection (4-consent-give-revoke).
func ConsentStatus(connections []meter.Connection, latest map[string]Decision, textVersion string) Consent {
	out := Consent{TextVersion: textVersion, Connections: []ConnectionConsent{}}
	smart, consented := 0, 0
	var lastGiven, lastRevoked *time.Time
	for _, c := range connections {
		one := ConnectionConsent{EANCode: c.EANCode, Commodity: c.Commodity, Supported: c.MeterType == meter.Smart}
		if one.Supported {
			smart++
			if d, ok := latest[c.EANCode]; ok && d.Given {
				consented++
				one.ConsentPresent, one.ConsentDateTime, one.TextVersion = true, &d.At, d.TextVersion
				lastGiven = laterTime(lastGiven, &d.At)
			} else if ok {
				one.RevokedDateTime = &d.At
				lastRevoked = laterTime(lastRevoked, &d.At)
			}
		}
		out.Connections = append(out.Connections, one)
	}
	if out.ConsentPresent = smart > 0 && smart == consented; out.ConsentPresent {
		out.ConsentDateTime = lastGiven
	} else {
		out.RevokedDateTime = lastRevoked
	}
	return out
}

// laterTime returns the later of two times; nil means no time.
func laterTime(a, b *time.Time) *time.Time {
	if a == nil || b.After(*a) {
		return b
	}
	return a
}

// NewDecisions returns the decisions to store when consent is given or revoked. It returns none if nothing changes. Consent to another
// version of the text is a new decision. Consent requires a smart meter; an empty ean selects all connections.
func NewDecisions(connections []meter.Connection, latest map[string]Decision, consents bool, ean, textVersion string,
	now time.Time) []Decision {
	var out []Decision
	for _, c := range connections {
		if c.MeterType != meter.Smart || ean != "" && c.EANCode != ean {
			continue
		}
		d, known := latest[c.EANCode]
		same := d.Given == consents && (!consents || d.TextVersion == textVersion)
		if known && same || !known && !consents {
			continue
		}
		out = append(out, Decision{c.EANCode, consents, now, textVersion})
	}
	return out
}
