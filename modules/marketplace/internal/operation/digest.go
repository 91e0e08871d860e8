package operation

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// Digest returns a hash of a request. It differs between two requests with the same idempotency key.
func Digest(request any) string {
	data, err := json.Marshal(request)
	if err != nil {
		panic(fmt.Sprintf("marketplace: a request has no JSON: %v", err)) // it was decoded from JSON
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
