package operation

import (
	"errors"
	"net/http"

	"github.com/wattle-portal/wattle/core/problem"
)

// CodeKeyReused is the code of ErrKeyReused.
const CodeKeyReused = "marketplace.key_reused"

// ErrKeyReused is the problem (422) that another request used the same idempotency key.
var ErrKeyReused = problem.Fail(http.StatusUnprocessableEntity, CodeKeyReused)

// ErrSent means that the same request was sent twice at the same time, and the other one was processed first.
var ErrSent = errors.New("sent twice")
