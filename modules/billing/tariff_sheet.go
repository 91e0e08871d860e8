package billing

import (
	"path"

	"github.com/wattle-portal/wattle/core/value"
)

// TariffSheet is a sheet of prices that was sent for an agreement (3-agreement-tariff-sheets).
type TariffSheet struct {
	RetrievalID string    `json:"retrieval_id"`
	Link        string    `json:"tariff_sheet_link" doc:"Path of the file, or empty when there is none"`
	SendDate    value.Day `json:"send_date"`
}

// fileName is what a downloaded sheet is called; stored is its name in the file store, which no browser sees.
func (t TariffSheet) fileName(stored string) string {
	return "tarieven-" + t.SendDate.String() + path.Ext(stored)
}

func tariffSheetLink(id, file string) string {
	if file == "" {
		return ""
	}
	return "/api/v0/tariffsheets/" + id + "/file"
}
