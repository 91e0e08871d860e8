package acme

import "time"

// Tests are exempt.
var _, _ = time.Now(), "brand"
