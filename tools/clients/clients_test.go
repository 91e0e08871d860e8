package clients

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/oapi-codegen/oapi-codegen/v2/pkg/codegen"
	_ "github.com/oapi-codegen/runtime" // imported by a generated client
)

// TestSiblings compares the committed files with the documents, to detect that "make generate" was not run.
func TestSiblings(t *testing.T) {
	t.Run("9-neighbour-types", func(t *testing.T) {
		const root = "../.."
		files, err := Files(root)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range []string{"core/coreapi/client.gen.go", "modules/billing/billingapi/client.gen.go"} {
			if files[file] == "" {
				t.Errorf("there is no client %s", file)
			}
		}
		for file, want := range files {
			if got, err := os.ReadFile(filepath.Join(root, file)); err != nil || string(got) != want {
				t.Errorf("%s is stale (%v): run make generate", file, err)
			}
		}
		kept, err := filepath.Glob(filepath.Join(root, "modules/*/*api/*.gen.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range kept {
			if name, _ := filepath.Rel(root, file); files[filepath.ToSlash(name)] == "" {
				t.Errorf("%s is generated from nothing any more", name)
			}
		}
	})
}

// TestClients generates a Go client from the document of every module, as an integrator would, and compiles it.
func TestClients(t *testing.T) {
	t.Run("7-openapi-complete", func(t *testing.T) {
		dir := generate(t, "*")
		if out, err := exec.Command("go", "build", "./"+dir+"/...").CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	})
}

// generate generates clients of the documents with these names, in a folder of this Go module, whose go.mod has their dependencies.
func generate(t *testing.T, names ...string) (dir string) {
	t.Helper()
	dir, err := os.MkdirTemp(".", "generated-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	for _, pattern := range names {
		documents, err := filepath.Glob("../../schemas/openapi/" + pattern + ".json")
		if err != nil || len(documents) == 0 {
			t.Fatal("no documents", err)
		}
		for _, document := range documents {
			name := strings.TrimSuffix(filepath.Base(document), ".json")
			spec, err := openapi3.NewLoader().LoadFromFile(document)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			client, err := codegen.Generate(spec, codegen.Configuration{PackageName: name,
				Generate: codegen.GenerateOptions{Models: true, Client: true}})
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			at := filepath.Join(dir, name)
			if err := os.MkdirAll(at, 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(at, "client.go"), []byte(client), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	return dir
}
