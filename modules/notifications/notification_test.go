package notifications

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/wattle-portal/wattle/core/problem"
)

// errorsOf returns field errors as "field code".
func errorsOf(fieldErrors []problem.FieldError) []string {
	out := []string{}
	for _, w := range fieldErrors {
		out = append(out, w.Field+" "+w.Code)
	}
	return out
}

// testDraft returns a valid draft.
func testDraft() Draft {
	return Draft{Title: Text{"Titel", "Title"}, Message: Text{"<p>Tekst</p>", "<p>Text</p>"}, Kind: News, Audience: Audience{Kind: ToAll}}
}

func TestDraft(t *testing.T) {
	t.Run("9-notification-refused", func(t *testing.T) {
		assert.Equal(t, []int{120, 20_000}, []int{maxTitle, maxMessage})
		for _, c := range []struct {
			change func(d *Draft)
			want   []string
		}{
			{func(*Draft) {}, []string{}},
			{func(d *Draft) { d.Title = Text{strings.Repeat("é", maxTitle), strings.Repeat("é", maxTitle+1)} }, []string{"title.en too_long"}},
			{func(d *Draft) { d.Title.NL = strings.Repeat("é", maxTitle+1) }, []string{"title.nl too_long"}},
			{func(d *Draft) { d.Message = Text{strings.Repeat("é", maxMessage), strings.Repeat("é", maxMessage+1)} },
				[]string{"message.en " + codeMessageTooLong}},
			{func(d *Draft) { d.Message.NL = strings.Repeat("é", maxMessage+1) }, []string{"message.nl " + codeMessageTooLong}},
			{func(d *Draft) { d.Audience.Relations = make([]string, maxSelection) }, []string{}},
			{func(d *Draft) { d.Audience.Relations = make([]string, maxSelection+1) }, []string{"audience.relations " + codeManyRecipients}},
		} {
			d := testDraft()
			c.change(&d)
			assert.Equal(t, c.want, errorsOf(d.checkLength()))
		}
		for _, c := range []struct {
			title, message Text
			want           []string
		}{
			{Text{"a", "a"}, Text{"b", "<p>b</p>"}, []string{}},
			{Text{"", "a"}, Text{"b", "<p> </p>"}, []string{"title.nl required", "message.en " + codeMessageEmpty}},
			{Text{"a", " \n"}, Text{"<ul><li></li></ul>", "b"}, []string{"message.nl " + codeMessageEmpty, "title.en required"}},
			{Text{"a", "\x01"}, Text{"<script>b</script>", "b"}, []string{"message.nl " + codeMessageEmpty, "title.en required"}},
		} {
			assert.Equal(t, c.want, errorsOf(Draft{Title: c.title, Message: c.message}.cleaned().checkText()), "%q %q", c.title, c.message)
		}
		for _, c := range []struct {
			audience Audience
			want     []string
		}{
			{Audience{Kind: ToAll}, []string{}}, {Audience{Kind: ToAll, Project: "a b"}, []string{}}, // the audience is not checked
			{Audience{Kind: ToProject, Project: " WP "}, []string{}}, {Audience{Kind: ToProject, Project: " "},
				[]string{"audience.project required"}},
			{Audience{Kind: ToProject, Project: "W/P"}, []string{"audience.project " + codeUnknownProject}},
			{Audience{Kind: ToProject, Project: "WP", Relations: []string{"a b"}}, []string{}},
			{Audience{Kind: ToSelection, Relations: []string{" 1 ", "2"}}, []string{}},
			{Audience{Kind: ToSelection, Project: "WP", Relations: []string{"1"}}, []string{}},
			{Audience{Kind: ToSelection, Project: "W/P", Relations: []string{"1", "a b", ""}},
				[]string{"audience.project " + codeUnknownProject, "audience.relations.1 " + codeUnknownCustomer, "audience.relations.2 " +
					codeUnknownCustomer}},
		} {
			assert.Equal(t, c.want, errorsOf(Draft{Audience: c.audience}.cleaned().checkAudience()), "%+v", c.audience)
		}
	})
	t.Run("the response contains a limited number of unknown customers", func(t *testing.T) {
		d := Draft{Audience: Audience{Kind: ToSelection}}
		for range 30 {
			d.Audience.Relations = append(d.Audience.Relations, "a b")
		}
		codes := errorsOf(d.checkAudience())
		assert.Len(t, codes, 20)
		for i, w := range codes {
			assert.Equal(t, fmt.Sprintf("audience.relations.%d %s", i, codeUnknownCustomer), w)
		}
	})
	t.Run("a cleaned draft", func(t *testing.T) {
		d := Draft{Title: Text{" a\n b ", "c\x00"}, Message: Text{"<p onclick='x'>a</p>", "<script>x</script>b"},
			Audience: Audience{Kind: ToSelection, Project: " WP ", Relations: []string{" 1 ", "2"}}}.cleaned()
		assert.Equal(t, []Text{{"a b", "c"}, {"<p>a</p>", "b"}}, []Text{d.Title, d.Message})
		assert.Equal(t, Audience{Kind: ToSelection, Project: "WP", Relations: []string{"1", "2"}}, d.Audience)
		for _, kind := range []AudienceKind{ToAll, ToProject} {
			got := Draft{Audience: Audience{Kind: kind, Project: " WP ", Relations: []string{"1"}}}.cleaned().Audience
			assert.Equal(t, Audience{Kind: kind, Project: map[AudienceKind]string{ToProject: "WP"}[kind]}, got)
		}
	})
}

func TestDateOfADraft(t *testing.T) {
	t.Run("9-notification-refused", func(t *testing.T) {
		now := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
		for at, want := range map[time.Time][]string{now: {}, now.Add(time.Hour): {}, now.Add(-time.Second): {"publish_at " + codeDatePassed}} {
			assert.Equal(t, want, errorsOf(checkDate(&at, now)), "%v", at)
		}
		assert.Empty(t, checkDate(nil, now), "at once")
	})
}

func TestDigest(t *testing.T) {
	other := testDraft()
	other.Title.EN = "Other"
	assert.Equal(t, digestOf(testDraft()), digestOf(testDraft()))
	assert.NotEqual(t, digestOf(testDraft()), digestOf(other))
}
