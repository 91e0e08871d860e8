package notifications_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/wattle-portal/wattle/core/portaltest"
	"github.com/wattle-portal/wattle/test/fixture"
)

// A planned notification that is withdrawn and planned again with the same id is emailed once, at its new time, whether that is earlier,
// later or the same.
func TestNotificationPlannedAgain(t *testing.T) {
	t.Parallel()
	eachSender(t, "", func(t *testing.T, w *sender) {
		reader := w.With(t, 5)
		subjects := func() (out []string) {
			w.Deliver()
			for _, m := range w.Mails(reader.Email) {
				out = append(out, m.Mail.Subject)
			}
			return out
		}
		plan := func(name string, version int, after time.Duration) (path string) {
			title := fmt.Sprint(name, " ", version)
			sent := w.send(t, w.order(toProject, fixture.Object{"id": name, "mail": true, "title": fixture.Object{"nl": title, "en": title},
				"publish_at": w.Now().Add(after).Truncate(time.Second)}))
			return fmt.Sprint(staffNotifications, "/", sent["id"])
		}
		replan := func(name string, first, then time.Duration) {
			path := plan(name, 1, first)
			fixture.Body[fixture.Object](t, w.Do(portaltest.Call{Method: "DELETE", Path: path, Bearer: w.staff}), 204)
			plan(name, 2, then)
		}
		t.Run("9-notification-planned", func(t *testing.T) {
			replan("later", time.Hour, 3*time.Hour)
			replan("sooner", 3*time.Hour, time.Hour)
			replan("same", time.Hour, time.Hour)
			w.Later(t, 2*time.Hour)
			for range 3 { // the notifications, their emails, and possible later events
				w.Deliver()
			}
			assert.ElementsMatch(t, []string{"sooner 2", "same 2"}, subjects())
			w.Later(t, 2*time.Hour)
			for range 3 {
				w.Deliver()
			}
			assert.ElementsMatch(t, []string{"sooner 2", "same 2", "later 2"}, subjects())
		})
	})
}
