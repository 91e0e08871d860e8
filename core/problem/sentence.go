package problem

import (
	"fmt"
	"maps"
	"regexp"
	"strings"
	"sync"
)

// sentences are the English sentences of codes.
var sentences = struct {
	sync.RWMutex
	by map[string]string
}{by: map[string]string{
	CodeRequired:      "the field is required",
	CodeInvalid:       "the field does not accept this value",
	CodeUnknownField:  "there is no such field",
	CodeTooShort:      "the value is too short, or below the minimum",
	CodeTooLong:       "the value is too long, or above the maximum",
	CodeNotFound:      "nothing has this id or number",
	CodeForbidden:     "the caller may not do this",
	CodeReadOnly:      "an impersonator may only read",
	CodeKeyScope:      "the API key does not have the scope of this operation",
	CodeNoRelation:    "the account does not belong to a customer",
	CodeUnauthorized:  "the token or key is missing, expired or revoked",
	CodePending:       "an earlier request for this change is still being processed",
	CodeDecided:       "the change request was decided before",
	CodeInternal:      "the portal failed; the log has the reason, with the request id",
	CodeUnavailable:   "a part of the portal is not available; try again after the seconds of Retry-After",
	CodeTooLarge:      "it is too large",
	CodeMalformed:     "it is not a JSON object with fields of the expected types",
	CodeTooManyCalls:  "there were too many calls; try again after the seconds of Retry-After",
	CodeModuleOff:     "the label has not switched this module on",
	CodeLabelMismatch: "the token or key belongs to another label",
	CodeUnknownLabel:  "no label has this host name",

	"method_not_allowed":     "the path has no operation with this method",
	"not_acceptable":         "the response cannot have the type that the call accepts",
	"request_timeout":        "the request took too long to arrive",
	"unsupported_media_type": "the body is not of a type that this operation accepts",
	"loop":                   "modules call each other in a circle",
	"too_many_webhooks":      "there are as many webhooks as a label may have; delete one first",
	"download_expired":       "the URL of the download has expired or was used; request another one",
	"file_not_found":         "the file store has no such file",
	"file_name_invalid":      "the name is not that of a file in the file store",
	"file_type_refused":      "files of this type are not served",
	"token_used":             "the token was used before",
	"token_expired":          "the token has expired",

	"wrong_credentials":      "username or password is wrong",
	"empty_username":         "the username is empty",
	"empty_password":         "the password is empty",
	"empty_code":             "the code is empty",
	"temp_password_expired":  "the temporary password has expired",
	"code_invalid":           "the code is wrong or has expired",
	"invalid_characters":     "it has characters that are not accepted, or is longer than 128 characters",
	"password_policy":        "a password has at least 8 characters, with lowercase letters, uppercase letters and digits",
	"password_common":        "the password is on the list of common passwords",
	"password_from_name":     "the password is built from the name of its owner",
	"password_from_username": "the password is built from the username",
	"password_from_email":    "the password is built from the email address",
	"password_from_label":    "the password is built from the name of the label",
	"attempts_exceeded":      "there were too many attempts; try again later",
	"session_expired":        "the session has expired; sign in again",
	"session_mismatch":       "the session belongs to another account than the request",
	"cannot_reset_password":  "the account still has a temporary password, which must be used first",
	"mail_timeout":           "sending the email took too long",
	"pre_login_rejected":     "the account may not sign in",
	"impersonator_refused":   "an impersonator cannot sign in here",
	"impersonation_over":     "the link of an impersonation works once, within a minute",
	"impersonation_referrer": "the label does not allow impersonation from this origin",
	"unsupported":            "the label's user pool does not support this",

	"invalid_encoding": "the line is not UTF-8; save the file as UTF-8",
	"unclosed_quote":   "a quote is not closed, or stands inside a value without quotes",
	"field_count":      "the line has more or fewer values than the first line has names",
	"not_corrected":    "the line could not be read and was not corrected; correct it and remove its reason",
	"not_a_number":     "it is not a number",
	"ambiguous_number": "a mark in the number may separate thousands or decimals",
	"not_a_date":       "it is not a day in the format of the mapping",
	"not_a_time":       "it is not a time in the expected format",
	"ambiguous_time":   "the time comes twice when the clock goes back; it needs an offset",
	"unknown_value":    "the value is none of those that are expected",
	"unknown_unit":     "the unit is not supported",
	"duplicate":        "the same interval comes twice, with different amounts",
	"interval_length":  "intervals of this length are not supported",
	"not_aligned":      "the interval does not begin at a multiple of its length",
}}

// Describe adds English sentences of codes, which begin with a lower case letter and have no full stop. module.New calls it with the codes
// of a module.
func Describe(codes map[string]string) {
	sentences.Lock()
	defer sentences.Unlock()
	maps.Copy(sentences.by, codes)
}

// Sentence returns what a code means, in English: for callers of the API, and for operators. Customers and staff see the translated text of
// the code. It returns an empty string for an unknown code.
func Sentence(code string) string {
	sentences.RLock()
	defer sentences.RUnlock()
	return sentences.by[code]
}

// maxDetails is the maximum number of fields that a detail describes.
const maxDetails = 5

// detail returns the sentences of a problem: of its fields, or else of its code.
func (p Problem) detail() string {
	var all []string
	for _, e := range p.Errors {
		if len(all) == maxDetails {
			all = append(all, fmt.Sprintf("and %d more", len(p.Errors)-maxDetails))
			break
		}
		s := Sentence(e.Code)
		switch {
		case s == "":
			continue
		case e.Field != "":
			s = e.Field + ": " + s
		}
		all = append(all, s)
	}
	if len(all) == 0 {
		return Sentence(p.Code)
	}
	return strings.Join(all, "; ")
}

// fieldName matches the name of a field that a caller may have chosen. Other names are not repeated, because they may be values.
var fieldName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]{0,63}([.\[][A-Za-z0-9_\]-]{1,64}){0,8}$`)
