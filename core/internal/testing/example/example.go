// Package example lets Example functions, which have no *testing.T, run code that needs one.
package example

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"testing"
)

// Run calls f with a testing.TB in a separate goroutine, which a failure ends. A failure is printed, so that the output differs from the
// expected output.
func Run(f func(t testing.TB)) {
	ctx, cancel := context.WithCancel(context.Background())
	t, done := &tb{ctx: ctx}, make(chan struct{})
	go func() {
		defer close(done)
		f(t)
	}()
	<-done
	cancel()
	for i := len(t.ends) - 1; i >= 0; i-- {
		t.ends[i]()
	}
}

type tb struct {
	testing.TB // testing.TB has a private method, so it must be embedded
	ctx        context.Context
	ends       []func()
	failed     bool
}

func (t *tb) Helper()                  {}
func (t *tb) Name() string             { return "Example" }
func (t *tb) Context() context.Context { return t.ctx }
func (t *tb) Cleanup(f func())         { t.ends = append(t.ends, f) }
func (t *tb) Log(...any)               {}
func (t *tb) Logf(string, ...any)      {}
func (t *tb) Failed() bool             { return t.failed }
func (t *tb) Fail()                    { t.failed = true }

func (t *tb) FailNow() {
	t.failed = true
	runtime.Goexit()
}

func (t *tb) Errorf(format string, args ...any) {
	t.failed = true
	fmt.Printf(format+"\n", args...)
}

func (t *tb) Fatalf(format string, args ...any) {
	t.Errorf(format, args...)
	t.FailNow()
}

func (t *tb) Fatal(args ...any) {
	fmt.Println(args...)
	t.FailNow()
}

func (t *tb) Skip(args ...any) { t.Fatal(args...) }

func (t *tb) TempDir() string {
	dir, err := os.MkdirTemp("", "wattle-example-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}
