#!/usr/bin/env bash
# Changes the rules of the modules one by one and runs the tests of the module each time: go.sh [MODULE…]. Survivors are printed.
# gremlins copies the folder that it works in once per worker: it gets the Go sources alone, without node_modules.
set -euo pipefail
cd "$(dirname "$0")/../.."
gremlins=$PWD/bin/gremlins-v0.6.0
if [ ! -x "$gremlins" ]; then
	GOBIN=$PWD/bin go install github.com/go-gremlins/gremlins/cmd/gremlins@v0.6.0
	mv bin/gremlins "$gremlins"
fi
out=$PWD/test-results
mkdir -p "$out"
copy=$PWD/.cache/mutants
rm -rf "$copy"
mkdir -p "$copy"
git ls-files -z --cached --others --exclude-standard -- '*.go' '*.sql' '*.cue' '*.html' '*.tmpl' go.mod go.sum schemas labels modules core | tar --null -T - -cf - | tar -C "$copy" -xf -
mkdir -p "$copy/core/internal/assets/dist" && touch "$copy/core/internal/assets/dist/.keep"
root=$PWD
cd "$copy"
# Rules are every file but the plumbing that core/internal/arch names; -short leaves out tests that start other programs.
plumbing='(^|/)(http|store|module|events|import|siblings)(_[a-z_]+)?\.go$'
[ $# -gt 0 ] || set -- $(ls -d modules/*/ | xargs -n1 basename)
for m in "$@"; do
	[ -f "modules/$m/rules_test.go" ] || [ -f "modules/$m/module_test.go" ] || continue
	echo "== modules/$m"
	GOFLAGS="${GOFLAGS:-} -short -vet=off" "$gremlins" unleash "./modules/$m" -E "$plumbing" --invert-logical --workers 2 --timeout-coefficient 100 -S lvcs -o "$out/mutants-$m.json" ||
		echo "gremlins could not judge modules/$m"
done
cd "$root"
node -e '
let killed = 0, lived = 0;
for (const m of process.argv.slice(1)) {
  const file = `test-results/mutants-${m}.json`;
  if (!require("fs").existsSync(file)) continue;
  const r = JSON.parse(require("fs").readFileSync(file, "utf8"));
  const [k, l] = [(r.mutants_killed ?? 0), (r.mutants_lived ?? 0) + (r.mutants_not_covered ?? 0)];
  console.log(`${m}: ${k} of ${k + l} killed, ${Math.round((100 * k) / (k + l))}%`);
  killed += k; lived += l;
}
console.log(`rules in Go: ${killed} of ${killed + lived} killed, ${Math.round((100 * killed) / (killed + lived))}%`);
' "$@"
