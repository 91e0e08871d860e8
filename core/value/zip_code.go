package value

import "strings"

// NormalizeZipCode removes spaces and returns the rest in upper case (5.2-zip-normalise, 5.9-zip-normalise-reconcile).
func NormalizeZipCode(entered string) string { return strings.ToUpper(withoutSpace(entered)) }
