package usageapi

import (
	"github.com/wattle-portal/wattle/core/event"
	"github.com/wattle-portal/wattle/core/value"
)

// Event types that module usage publishes.
const (
	EventConsentGiven      = "usage.consent_given"
	EventConsentRevoked    = "usage.consent_revoked"
	EventRetrievalAdvanced = "usage.retrieval_advanced"
	EventRetrievalFinished = "usage.retrieval_finished"
)

const (
	connection = "EAN of the connection"
	retrieval  = "Id of the retrieval"
)

// Events are the events that module usage publishes.
var Events = []event.Type{
	event.Of[ConsentChanged](EventConsentGiven, connection, "A customer gave consent for the meter data of a connection"),
	event.Of[ConsentChanged](EventConsentRevoked, connection, "A customer revoked the consent for the meter data of a connection"),
	event.Internal[RetrievalAdvanced](EventRetrievalAdvanced, retrieval, "The next step of a retrieval of historical meter data is due"),
	event.Of[RetrievalFinished](EventRetrievalFinished, retrieval, "A retrieval of historical meter data is done or has failed"),
}

// ConsentChanged is the data of EventConsentGiven and EventConsentRevoked.
type ConsentChanged struct {
	Relation    string `json:"relation" doc:"Id of the relation"`
	Account     string `json:"account" doc:"Id of the account that gave or revoked the consent"`
	EANCode     string `json:"ean_code" doc:"EAN code of the connection"`
	TextVersion string `json:"text_version" doc:"Version of the consent text"`
}

// RetrievalAdvanced is the data of EventRetrievalAdvanced.
type RetrievalAdvanced struct {
	Relation  string `json:"relation" doc:"Id of the relation"`
	Agreement string `json:"agreement" doc:"The agreement_identifier of the agreement"`
	Number    int    `json:"number" doc:"Sequence number of the retrieval within the agreement"`
	Step      int    `json:"step" doc:"Number of completed steps"`
}

// RetrievalFinished is the data of EventRetrievalFinished.
type RetrievalFinished struct {
	RetrievalAdvanced
	State string    `json:"state" enum:"DONE,FAILED" doc:"DONE, or FAILED: it is not tried again"`
	Until value.Day `json:"until,omitzero" doc:"Last day with meter data"`
	Code  string    `json:"code,omitempty" doc:"Problem code of a failed retrieval"`
}
