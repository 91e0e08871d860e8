package onboarding

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"math/bits"
	"strconv"
	"strings"
	"time"
)

// A proof of work takes about 65,000 hashes, a fraction of a second in a browser. Rate limits restrict the number of registrations further.
// See docs/decisions/0021.
const (
	proofBits = 16
	proofTTL  = time.Hour // time to fill in the form
)

// NewChallenge returns a signed challenge of a label: "<id>.<unix time>.<signature>". id must be random.
func NewChallenge(secret, labelKey, id string, expires time.Time) string {
	body := id + "." + strconv.FormatInt(expires.Unix(), 10)
	return body + "." + sign(secret, labelKey, body)
}

// CheckProof validates a challenge and its solution: the challenge must be signed for this label, not expired, and solved. It returns the
// id of the challenge, which may be used once.
func CheckProof(secret, labelKey, challenge, solution string, now time.Time) (id string, ok bool) {
	body, signature, _ := cutLast(challenge)
	id, ends, _ := strings.Cut(body, ".")
	unix, err := strconv.ParseInt(ends, 10, 64)
	ok = hmac.Equal([]byte(signature), []byte(sign(secret, labelKey, body))) && err == nil && now.Before(time.Unix(unix, 0)) &&
		LeadingZeros(challenge, solution) >= proofBits
	return id, ok
}

// LeadingZeros returns the number of zero bits at the start of the hash of a challenge and its solution.
func LeadingZeros(challenge, solution string) (n int) {
	for _, b := range sha256.Sum256([]byte(challenge + ":" + solution)) {
		if b != 0 {
			return n + bits.LeadingZeros8(b)
		}
		n += 8
	}
	return n
}

// Solve finds a solution, as the browser does.
func Solve(challenge string, bits int) string {
	for n := 0; ; n++ {
		if s := strconv.Itoa(n); LeadingZeros(challenge, s) >= bits {
			return s
		}
	}
}

func sign(secret, labelKey, body string) string {
	h := hmac.New(sha256.New, []byte(secret))
	fmt.Fprintf(h, "onboarding\x00%s\x00%s", labelKey, body)
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil))
}

func cutLast(s string) (before, after string, found bool) {
	if i := strings.LastIndexByte(s, '.'); i >= 0 {
		return s[:i], s[i+1:], true
	}
	return s, "", false
}
