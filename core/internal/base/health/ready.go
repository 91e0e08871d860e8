package health

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"time"
)

// readyTimeout is longer than a portal needs for all of its checks.
const readyTimeout = checkTimeout + 2*time.Second

// QueryReady checks whether a portal on this machine is ready. addr is its host:port; an empty or unspecified host means this machine. It
// returns an error with the reason when the portal does not respond or is not ready.
func QueryReady(ctx context.Context, addr string) error {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("health: %q is not host:port", addr)
	}
	if ip := net.ParseIP(host); host == "" || ip.IsUnspecified() {
		host = "localhost"
	}
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+net.JoinHostPort(host, port)+"/readyz", nil)
	if err != nil {
		return fmt.Errorf("health: %w", err)
	}
	res, err := (&http.Transport{}).RoundTrip(req) // does not use the proxy of the environment
	if err != nil {
		return fmt.Errorf("health: no portal answers at %s: %w", addr, err)
	}
	defer res.Body.Close()
	if res.StatusCode == http.StatusOK {
		return nil
	}
	var said struct {
		Database string `json:"database"`
	}
	_ = json.NewDecoder(res.Body).Decode(&said) // another server may return any response
	why := "it starts or stops"
	if said.Database != OK {
		why = "database: " + cmp.Or(said.Database, Unknown)
	}
	return fmt.Errorf("health: the portal at %s is not ready (%d): %s", addr, res.StatusCode, why)
}
