package label_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/labels/label"
)

func TestSettingsInWords(t *testing.T) {
	found, err := label.Settings(`package acme
#Code: =~"^[a-z]+$"
#Settings: {
	// How many days
	// a link works.
	order: link_days: int & >=1 & <=7 | *5
	name: string
	code: #Code
	// Who is paid.
	payment?: provider: "mollie" | "sandbox"
	// How mail is sent.
	mail: {
		// Its sender.
		from: string
		name: string
	}
	by: *"mail" | "post"
	open: bool | *false
	price?: number & >0
	tags: [...string]
	areas: [string]: int
	offices: [string]: {
		town:  string
		phone: *"" | string
	}
	color: string
	ink:   #Code | *color
	from?: string
	until?: string & >=from
	if open {
		hidden: string
	}
}`)
	require.NoError(t, err)
	require.Equal(t, []label.Setting{
		{Path: "order.link_days", Words: "a whole number, at least 1 and at most 7", Default: "5", Optional: true,
			Doc: "How many days a link works."},
		{Path: "name", Words: "a text"},
		{Path: "code", Words: `a text, of the form "^[a-z]+$"`},
		{Path: "payment.provider", Words: `"mollie" or "sandbox"`, Optional: true, Doc: "Who is paid."},
		{Path: "mail.from", Words: "a text", Doc: "Its sender."},
		{Path: "mail.name", Words: "a text", Doc: "How mail is sent."},
		{Path: "by", Words: `"mail" or "post"`, Default: `"mail"`, Optional: true},
		{Path: "open", Words: "true or false", Default: "false", Optional: true},
		{Path: "price", Words: "a number, more than 0", Optional: true},
		{Path: "tags", Words: "a list, each item a text", Default: "[]", Optional: true},
		{Path: "areas.<name>", Words: "a whole number", Optional: true},
		{Path: "offices.<name>.town", Words: "a text", Optional: true},
		{Path: "offices.<name>.phone", Words: "a text", Default: `""`, Optional: true},
		{Path: "color", Words: "a text"},
		{Path: "ink", Words: `a text, of the form "^[a-z]+$"`, Default: "color", Optional: true},
		{Path: "from", Words: "a text", Optional: true},
		{Path: "until", Words: "a text, at least from", Optional: true},
	}, found)
	_, err = label.Settings(`#Settings: {a: `)
	require.Error(t, err)
	found, err = label.Settings(`#Settings: {}`)
	require.NoError(t, err)
	require.Empty(t, found)
}
