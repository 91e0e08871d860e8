package operation

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// Digest returns a hash of a request. It detects that an idempotency key is used for another request.
func Digest(request any) string {
	data, err := json.Marshal(request)
	if err != nil {
		panic(fmt.Sprintf("marketplace: a request has no JSON: %v", err)) // the request was decoded from JSON
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
