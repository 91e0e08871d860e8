package project

import (
	"testing"

	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/value"
)

const ruleVectors = "../../../../schemas/rules/"

func TestSettingOfADay(t *testing.T) {
	t.Run("3-project-latest-setting", func(t *testing.T) {
		type given struct {
			Settings []OfferSetting `json:"member_offer_settings"`
		}
		moduletest.RunCases(t, ruleVectors+"3-project-latest-setting.json", func(g given, today value.Day, _ struct{}) string {
			if s := Latest(g.Settings, today); s != nil {
				return s.From.String()
			}
			return ""
		})
	})
}
