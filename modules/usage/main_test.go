package usage

import (
	"flag"
	"os"
	"testing"
)

// TestMain keeps rapid's hundred checks with -short, which takes a fifth: the properties of costs must meet every kind of tariff.
func TestMain(m *testing.M) {
	flag.Parse()
	if testing.Short() {
		if err := flag.Set("rapid.checks", "500"); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}
