// Command write simulates the use of a release's portal and writes its data, on SQLite and PostgreSQL: `make stored`.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/wattle-portal/wattle/core/internal/testing/storetest/cluster"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest/stored"
)

func main() {
	program := flag.String("wattle", "", "program of the release")
	folder := flag.String("out", "", "folder of the release, with its labels")
	flag.Parse()
	if err := write(*program, *folder); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func write(program, folder string) error {
	r := stored.Release{Program: program, Labels: filepath.Join(folder, "labels")}
	if err := stored.Write(r, folder); err != nil {
		return err
	}
	c, err := cluster.Start()
	if err != nil {
		return err
	}
	r.Database = c.URL
	return errors.Join(stored.Write(r, folder), c.Stop())
}
