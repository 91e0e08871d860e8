// Command cmd writes the clients of siblings: those of this repository, for which it must run in tools/clients, or with -key that of a
// module in a separate repository.
package main

import (
	"flag"
	"log"
	"os"
	"path/filepath"

	"github.com/wattle-portal/wattle/tools/clients"
)

func main() {
	log.SetFlags(0)
	key := flag.String("key", "", "key of a module in a repository of its own")
	document := flag.String("document", "", "its OpenAPI document (with -key)")
	folder := flag.String("folder", "", "folder of its package <key>api (with -key)")
	flag.Parse()
	root := "../.."
	files := map[string]string{}
	var err error
	if *key == "" {
		files, err = clients.Files(root)
	} else {
		root = *folder
		var text string
		if text, err = clients.File(*key, *document, *folder); text != "" {
			files["client.gen.go"] = text
		}
	}
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
