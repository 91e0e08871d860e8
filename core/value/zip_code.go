package value

import "strings"

// NormaliseZipCode removes spaces and returns the rest in upper case (5.2-zip-normalise, 5.9-zip-normalise-reconcile).
func NormaliseZipCode(entered string) string { return strings.ToUpper(withoutSpace(entered)) }
