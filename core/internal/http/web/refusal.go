package web

import (
	"encoding/json"
	"net/http"
	"regexp"
)

// refusal is a response writer that reads the code of a problem for the log (11-security-log).
type refusal struct {
	http.ResponseWriter
	info *requestInfo
	open bool // the response is a problem
}

// codePattern matches problem codes. A plugin could return any other text.
var codePattern = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,64}$`)

// WriteHeader implements http.ResponseWriter.
func (w *refusal) WriteHeader(status int) {
	w.open = status >= http.StatusBadRequest && w.Header().Get("Content-Type") == "application/problem+json"
	w.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (w *refusal) Write(p []byte) (int, error) {
	if w.open {
		w.open = false
		var body struct {
			Code string `json:"code"`
		}
		if json.Unmarshal(p, &body) == nil && codePattern.MatchString(body.Code) {
			w.info.code = body.Code
		}
	}
	return w.ResponseWriter.Write(p)
}

// Unwrap returns the wrapped writer for http.ResponseController.
func (w *refusal) Unwrap() http.ResponseWriter { return w.ResponseWriter }
