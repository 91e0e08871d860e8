package acme

import "time"

// Tests may.
var _, _ = time.Now(), "brand"
