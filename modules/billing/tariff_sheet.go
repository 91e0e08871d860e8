package billing

import (
	"path"

	"github.com/wattle-portal/wattle/core/value"
)

// TariffSheet is a tariff sheet that was sent for an agreement (3-agreement-tariff-sheets).
type TariffSheet struct {
	RetrievalID string    `json:"retrieval_id" doc:"Id of the tariff sheet"`
	Link        string    `json:"tariff_sheet_link" doc:"Path of the file; empty: none"`
	SendDate    value.Day `json:"send_date" doc:"Day on which the sheet was sent"`
}

// fileName returns the name of the downloaded sheet; stored is the name in the file store, which the API does not return.
func (t TariffSheet) fileName(stored string) string {
	return "tarieven-" + t.SendDate.String() + path.Ext(stored)
}

func tariffSheetLink(id, file string) string {
	if file == "" {
		return ""
	}
	return "/api/v0/tariffsheets/" + id + "/file"
}
