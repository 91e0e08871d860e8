package storetest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/wattle-portal/wattle/core/internal/testing/storetest/cluster"
	"github.com/wattle-portal/wattle/core/value"
)

// Template is the name of the environment variable with the database that test databases are copied from, instead of being created empty.
const Template = "WATTLE_TEST_TEMPLATE"

// server returns the URL of this test process's server, which is started at the first call.
var server = sync.OnceValues(func() (string, error) {
	if u := os.Getenv(cluster.Env); u != "" {
		return u, nil
	}
	c, err := cluster.Start()
	if err != nil {
		return "", err
	}
	running.Store(c)
	return c.URL, nil
})

// running keeps a reference to the cluster, so that it is not garbage-collected; the cluster ends with this process.
var running atomic.Pointer[cluster.Cluster]

// durable returns the URL of a server for this test process that writes each commit to disk.
var durable = sync.OnceValues(func() (string, error) {
	c, err := cluster.StartDurable()
	if err != nil {
		return "", err
	}
	runningDurable.Store(c)
	return c.URL, nil
})

var runningDurable atomic.Pointer[cluster.Cluster]

// database creates an empty database and returns its URL.
func database(t testing.TB, server func() (string, error)) string {
	t.Helper()
	base, err := server()
	if errors.Is(err, cluster.ErrMissing) && os.Getenv("WATTLE_REQUIRE_POSTGRES") != "1" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	name := "wattle_test_" + value.NewID()
	run := func(sql string) {
		t.Helper()
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		conn, err := pgx.Connect(ctx, base)
		if err != nil {
			t.Fatalf("storetest: %v", err)
		}
		defer conn.Close(ctx)
		if _, err := conn.Exec(ctx, sql); err != nil {
			t.Fatalf("storetest: %v", err)
		}
	}
	run("CREATE DATABASE " + name + " TEMPLATE " + cmp.Or(os.Getenv(Template), "template0") + " STRATEGY file_copy")
	t.Cleanup(func() { run("DROP DATABASE IF EXISTS " + name + " WITH (FORCE)") })
	u, err := url.Parse(base)
	if err != nil {
		t.Fatal(fmt.Errorf("storetest: %s: %w", cluster.Env, err))
	}
	u.Path = "/" + name
	return u.String()
}
