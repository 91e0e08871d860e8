// Package monitoring checks deploy/monitoring and docs/runbooks with the code of Prometheus. It has a go.mod of its own, because nothing of
// the program needs Prometheus.
package monitoring
