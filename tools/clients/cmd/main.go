// Command cmd writes the clients of siblings. It must run in tools/clients.
package main

import (
	"log"
	"os"
	"path/filepath"

	"github.com/wattle-portal/wattle/tools/clients"
)

func main() {
	const root = "../.."
	files, err := clients.Files(root)
	if err != nil {
		log.Fatal(err)
	}
	for file, text := range files {
		at := filepath.Join(root, file)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			log.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
			log.Fatal(err)
		}
	}
}
