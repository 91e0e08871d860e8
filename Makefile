# `make help` lists the targets. They need Go, Node and npm, and install everything else.
SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.PHONY: help run dev build libraries pack release release-packages release-test outside front check test test-all test-go faults cluster soak partitioned partition-size test-race test-ts e2e sizes bench lighthouse a11y verify generate protocol requirements screenshots screens lint format clean docs docs-dev mutants mutants-go mutants-ts

PORT ?= 8080
# 1: only the tests of make test. Go tests of make test-all skip themselves, those of vitest have the tag all, and journeys of make test @daily.
SHORT ?=
export CGO_ENABLED ?= 0
# The same flags for every call of go, so that build, vet, tests and generate share the build cache, also between checkouts. Nothing here
# reads DWARF, which takes a sixth of the compiler's time (decision 0068); for a debugger, call go without make.
FLAGS := -trimpath -gcflags=all=-dwarf=false
export GOFLAGS := $(strip $(filter-out $(FLAGS),$(shell go env GOFLAGS)) $(FLAGS))
# npm puts the Node of node_modules/.bin (an optional dependency, so that an older system Node works: tools/node.sh) before the system's.
NPM := npm --silent
NODE_MODULES := node_modules/.package-lock.json
PACKAGES := core/internal/teams/packages/dist/packages.json
FRONT := core/internal/http/assets/dist/shell.json
# The documentation site. The program has it when it was built before, so that make run does not wait for it; a release always has it.
DOCS := core/internal/http/docsite/dist/hashmap.json.gz
FRONT_SOURCES := $(shell find shell remotes tools -name node_modules -prune -o -path tools/docs -prune -o -name dist -prune -o -name compiled -prune -o -type f \( -name '*.ts' -o -name '*.tsx' -o -name '*.json' -o -name '*.mjs' -o -name '*.woff2' \) -print)
GO_SOURCES := $(shell find core modules schemas -type f -name '*.go' -o -name '*.sql' -o -name '*.cue' -o -name '*.html' -o -name '*.tmpl' -o -name '*.ndjson' -o -path 'modules/*.json' -o -path 'core/internal/labels/mail/messages/*.json') go.mod go.sum

help: ## lists the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## /{printf "  %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: bin/wattle ## the demo on http://localhost:8080 (PORT)
	@bin/wattle serve --demo --labels labels --data data --addr 127.0.0.1:$(PORT)

dev: $(NODE_MODULES) ## the demo with live reload of both halves
	@$(NPM) exec -- node tools/dev.mjs

build: bin/wattle ## bin/wattle with the built front end in it

# The first build compiles SQLite, the AWS SDK and CUE, which takes longer than npm and the front end: it does both in parallel.
ifneq ($(filter run build,$(MAKECMDGOALS)),)
ifeq ($(wildcard bin/wattle),)
MAKEFLAGS += -j3
bin/wattle: | libraries
endif
endif

libraries:
	@echo 'The first build takes minutes, because it compiles all libraries. Later ones take seconds.'
	@go build $$(go list -deps -f '{{if not .Standard}}{{.ImportPath}}{{end}}' ./core/cmd/wattle | grep -v '/core/cmd/wattle$$')

bin/wattle: $(GO_SOURCES) $(FRONT) $(PACKAGES) $(wildcard core/internal/http/docsite/dist/index.html.gz)
	go build -ldflags '-s -w' -o $@ ./core/cmd/wattle

# The packages for module teams, which the program contains. The npm tarballs are made again only when their sources change.
$(PACKAGES): $(NODE_MODULES) $(FRONT_SOURCES) $(GO_SOURCES) $(shell git ls-files docs/examples)
	@go run ./core/internal/teams/packages/build -out $(@D)

release-packages: $(NODE_MODULES) ## the packages for module teams in bin/release: a GOPROXY, npm tarballs, changelog, provenance
	@go run ./core/internal/teams/packages/build -out bin/release

# For one platform: make release PLATFORMS=linux/amd64. RELEASE_KEY, or RELEASE_KEY_FILE, and RELEASE_KEY_PASSWORD sign it with minisign.
release: $(FRONT) $(PACKAGES) $(DOCS) release-packages ## the files that operators install, in bin/release: programs, .deb, .rpm, image, compose file, chart, SBOM, licences, checksums
	cd tools/release && go run . -root ../.. -out ../../bin/release $(if $(PLATFORMS),-platforms '$(PLATFORMS)')

release-test: bin/wattle ## a release for all platforms, made twice in two folders, and its packages in a clean Debian and as a container
	tools/need.sh bubblewrap mmdebstrap 'systemd-container?' 'promtool?'
	cd tools/release && WATTLE_RELEASE=long go test -count=1 -timeout 2h -vet=off -v ./...

STORED := core/cmd/wattle/testdata/stored/$(VERSION)
REF ?= v$(VERSION)
.PHONY: stored
stored: ## the data that a tagged release stores, for tests of upgrades: make stored VERSION=1.2.3 (REF for another commit)
	@[ -n "$(VERSION)" ] && [ ! -e $(STORED) ] || { echo 'make stored VERSION=1.2.3, for a version whose folder is not there'; exit 1; }
	rm -rf .cache/stored && git clone --quiet --shared . .cache/stored/source && git -C .cache/stored/source checkout --quiet --detach $$(git rev-parse --verify '$(REF)^{commit}')
	cd .cache/stored/source && go build -ldflags '-s -w -X github.com/wattle-portal/wattle/core/internal/operate/app.Version=$(VERSION)' -o ../wattle ./core/cmd/wattle
	mkdir -p $(STORED) && cp -R $(dir $(STORED))labels $(STORED)/labels
	go run ./core/internal/testing/storetest/stored/write -wattle .cache/stored/wattle -out $(STORED)

pack: $(NODE_MODULES) ## tarballs of @wattle/sdk, ui and charts for remotes built elsewhere, in bin/packages
	$(NPM) exec -- node tools/pack.mjs

outside: bin/wattle pack ## the module production as another team's, and a new module, in repositories of their own: tried, built, run as plugins
	PATH="$(CURDIR)/node_modules/.bin:$$PATH" go run ./tools/outside

docs: $(DOCS) ## the documentation site, for the next build of bin/wattle to serve at /docs of a demo

VITEPRESS := tools/docs/node_modules/.package-lock.json
$(DOCS): $(NODE_MODULES) $(VITEPRESS) $(shell find docs tools/docs -name node_modules -prune -o -type f \( -name '*.md' -o -path 'tools/docs/*' \) -print) CHANGELOG.md CONTRIBUTING.md SECURITY.md
	$(NPM) exec -- node tools/docs/node_modules/vitepress/bin/vitepress.js build tools/docs
	@touch $@

docs-dev: $(NODE_MODULES) $(VITEPRESS) ## the documentation site with live reload
	$(NPM) exec -- node tools/docs/node_modules/vitepress/bin/vitepress.js dev tools/docs

# Separate npm projects, because the workspace, and with it the first build, does not need them.
tools/%/node_modules/.package-lock.json: tools/%/package-lock.json
	@tools/node.sh
	npm ci --prefix $(dir $<) --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

front: $(FRONT) ## the front end only

$(FRONT): $(NODE_MODULES) $(FRONT_SOURCES)
	$(NPM) run build

$(NODE_MODULES): package-lock.json package.json
	@tools/node.sh
	npm ci --no-audit --no-fund --loglevel=error
	@touch $@

check: lint ## the part of make test that needs no browser and no PostgreSQL
	go test -short -vet=off ./...
	$(NPM) test -- --tagsFilter '!all'

STATICCHECK_VERSION := v0.8.2
STATICCHECK := bin/staticcheck-$(STATICCHECK_VERSION)

$(STATICCHECK):
	@mkdir -p bin
	GOBIN=$(CURDIR)/bin go install honnef.co/go/tools/cmd/staticcheck@$(STATICCHECK_VERSION)
	mv bin/staticcheck $@

lint: $(NODE_MODULES) $(STATICCHECK) ## formatters, linters, types
	@test -z "$$(gofmt -l core modules test tools schemas docs)" || { gofmt -l core modules test tools schemas docs; echo 'run make format'; exit 1; }
	$(STATICCHECK) ./...
	go vet ./...
	go run ./core/moduletest/check -labels labels ./modules/... ./test/plugin/...
	$(NPM) run messages
	$(NPM) run lint
	$(NPM) run typecheck

format: $(NODE_MODULES) ## formats Go, TypeScript and JSON
	gofmt -w core modules test tools schemas docs
	$(NPM) run format

NEEDS := chromium 'chromium-headless-shell?' postgresql gcc 'bubblewrap?'

test: ## the tests that a daily change can break: Go (SQLite and PostgreSQL), race detector, TypeScript, a journey for each page
	@rm -rf test-results && mkdir -p test-results
	tools/need.sh $(NEEDS)
	@go run ./tools/gate test

test-all: ## everything, in sections: lint, build, go, cluster, race, ts, browser, requirements; SECTION=go,browser runs some
	@mkdir -p test-results
	tools/need.sh $(NEEDS) 'pgbouncer?' 'promtool?'
	@go run ./tools/gate all $(SECTION)

test-go: ## Go, every operation on SQLite and PostgreSQL
	@mkdir -p test-results && rm -f test-results/go.json
	go build -o bin/pgrun ./core/internal/testing/storetest/pgrun
	status=0; WATTLE_REQUIRE_POSTGRES=1 bin/pgrun go test -json -timeout 30m -vet=off $(if $(SHORT),-short) -p 3 -parallel 4 ./... > test-results/go.json || status=$$?; for dir in tools/clients tools/release; do (cd $$dir && go test -json -vet=off $(if $(SHORT),-short) ./...) >> test-results/go.json || status=$$?; done; go run ./tools/failures < test-results/go.json; exit $$status

faults: ## outages played on a whole portal (black hole, full disk, SIGTERM under load), with how long each took
	go build -o bin/pgrun ./core/internal/testing/storetest/pgrun
	WATTLE_REQUIRE_POSTGRES=1 WATTLE_FAULTS=long bin/pgrun go test -count=1 -v -run 'TestDeadConnections|TestBlackHole|TestWritesThatCannotBe|TestPostgresRefuses|TestStopUnderLoad' ./core/internal/storage/store ./core/internal/operate/app | grep -vE '^=== '

cluster: bin/wattle ## a cluster of three portals, PgBouncer and a standby for CLUSTER (1m), while its servers are killed and replaced
	@mkdir -p test-results && rm -f test-results/cluster.json
	status=0; WATTLE_REQUIRE_POSTGRES=1 WATTLE_CLUSTER=$(or $(CLUSTER),1m) go test -json -count=1 -timeout 20m -vet=off ./test/cluster > test-results/cluster.json || status=$$?; go run ./tools/failures < test-results/cluster.json; exit $$status

soak: ## a cluster for CLUSTER (15m) while its servers are killed and replaced; then histories of buyers, HISTORIES for each engine
	tools/need.sh postgresql pgbouncer 'haproxy?'
	WATTLE_REQUIRE_POSTGRES=1 WATTLE_CLUSTER=$(or $(CLUSTER),15m) go test -count=1 -v -timeout 2h ./test/cluster | grep -vE '^=== '
	go build -o bin/pgrun ./core/internal/testing/storetest/pgrun
	WATTLE_REQUIRE_POSTGRES=1 WATTLE_HISTORIES=$(or $(HISTORIES),200) bin/pgrun go test -count=1 -v -timeout 4h ./test/history | grep -vE '^=== '

partitioned: ## tests of modules and core on PostgreSQL with every table partitioned by label_key, and the plan of each statement that they send
	WATTLE_REQUIRE_POSTGRES=1 WATTLE_PARTITIONED=long go test -count=1 -v -timeout 1h -vet=off -run 'TestSuites' ./core/cmd/wattle/partition | grep -vE '^=== '

partition-size: ## sizes and heaviest pages with INTERVALS measurements in 15 labels, one table against partitions
	WATTLE_REQUIRE_POSTGRES=1 WATTLE_SIZE_INTERVALS=$(or $(INTERVALS),100000000) go test -count=1 -v -timeout 2h -vet=off -run TestSize ./core/cmd/wattle/partition | grep -vE '^=== '

# Packages that start goroutines, in their code or in their tests. In other packages, and in long sequential tests, the race detector
# finds nothing, and everything would have to be compiled and linked once more.
ONE_BY_ONE := ^(TestConformance|TestMoneyThatComesBack|TestForbiddenMoves.*|TestMarket|TestWithdrawal|TestApproval|TestRejectionAtApproval|TestMollieOrders.*|TestPastOrders|TestAuditSeesEveryBit|TestMoveIsIdempotent|TestUpgrade|TestGoesBack|TestServiceThatDoesNotBecomeReady|TestInUse|TestInterrupted|TestStuck|TestVetFrontEnd|TestNewPassesVet|TestNoKeyInCode|TestCheckpoint|TestThousandLabels|TestReloadDoesNotLeak|TestKilledInTheMiddle|TestRetrievalSurvivesAKill|TestAPluginComesAndGoes|TestAPluginReplacesAModule|TestAPluginIsAddedToThePortal|TestTheFolderOfAPlugin|TestADisabledPlugin|TestARefusedPlugin|TestLabelsAreServedWhileAPluginIsDown|TestAnUpgradeUnderLoad|TestRunningCallsOfTheFormerVersion|TestVersionsSideBySide|TestVersionsUnderLoad|TestDemoOfALaterLabel|TestMetrics)$$
# The packages of make test: their goroutines share people, money and events.
RACE := core/internal/events/outbox core/internal/storage/store core/internal/people/identity modules/marketplace
test-race: ## packages that start goroutines, under the race detector
	@mkdir -p test-results; if command -v gcc >/dev/null; then status=0; \
	packages=$$(if [ -n '$(SHORT)' ]; then printf '%s\n' $(RACE); else grep -rlE '^\s*go (func\b|[A-Za-z_.]+\()|\.Go\(' --include='*.go' core/internal core/module modules | xargs -n1 dirname | sort -u; fi | sed 's,^,./,'); \
	WATTLE_RACE=1 CGO_ENABLED=1 go test -json -race $(if $(SHORT),-short) -vet=off -p 4 -timeout 40m -skip '$(ONE_BY_ONE)' $$packages > test-results/race.json || status=$$?; go run ./tools/failures < test-results/race.json; exit $$status; \
	else echo 'no C compiler: the race run was skipped'; : > test-results/race.json; fi

test-ts: $(NODE_MODULES) ## TypeScript
	@mkdir -p test-results && rm -f test-results/vitest.json
	$(NPM) test $(if $(SHORT),-- --tagsFilter '!all')

# The site first: bin/wattle embeds the site that exists when make evaluates the rule, so a second make builds the program.
e2e: $(if $(SHORT),,$(DOCS)) ## browser tests
	@mkdir -p test-results && rm -f test-results/e2e.json
	$(MAKE) bin/wattle
	$(NPM) run e2e $(if $(SHORT),-- --grep @daily)

sizes: bin/wattle ## fails when a page or a remote sends more bytes than it may
	$(NPM) exec -- node tools/sizes.mjs

bench: bin/wattle sizes ## speed, as ratios within one run
	go test -run '^$$' -bench . -benchmem ./core/... ./modules/...

lighthouse: bin/wattle tools/lighthouse/node_modules/.package-lock.json ## Lighthouse, median of five
	$(NPM) exec -- node tools/lighthouse/lighthouse.mjs

a11y: $(DOCS) ## axe, reflow and targets of every screen in three labels, both languages and widths, and both widths in every journey with axe
	$(MAKE) bin/wattle
	A11Y=all $(NPM) run e2e -- $$(grep -lE 'accessible\(|axe\(' shell/e2e/*.spec.ts)

verify: $(NODE_MODULES) ## fails when make generate would change a file, or go mod tidy a requirement
	go mod tidy -diff
	cd tools/clients && go mod tidy -diff
	cd tools/release && go mod tidy -diff
	@before=$$(git status --porcelain); $(MAKE) generate GENERATE=./core/...; after=$$(git status --porcelain); \
	[ "$$before" = "$$after" ] || { git --no-pager diff --stat; echo 'generated files are stale: run make generate and commit'; exit 1; }

# The tests of modules also write their documents, and compare them in test-go. So verify generates only those of core and the browser.
GENERATE := ./...
generate: $(NODE_MODULES) ## OpenAPI and AsyncAPI documents, clients of siblings, api.gen.ts and api.<key>.gen.ts, pages of docs/reference and docs/security, messages
	go generate $(GENERATE) || { echo "once more, with the clients of the documents that changed"; (cd tools/clients && go run ./cmd) && go generate $(GENERATE); }
	cd tools/clients && go run ./cmd
	go test -vet=off -run 'TestExample' ./tools/outside -update
	$(NPM) run generate

# buf compiles wire.proto in place of protoc, so nothing has to be installed. The first run compiles buf, which takes minutes.
BUF := github.com/bufbuild/buf/cmd/buf@v1.75.0
protocol: ## wire.pb.go and wire_grpc.pb.go out of wire.proto; run it after a change of that file, it is no part of generate
	cd core/internal/modules/wire && go run $(BUF) generate

requirements: ## how many requirements are proven
	@go run ./tools/requirements -gate $(or $(GATE),all)

mutants: mutants-go mutants-ts ## changes the rules one by one and prints those that no test detects (MODULES for some)

mutants-go:
	go run ./tools/mutants $(MODULES)

MUTANTS := tools/mutants/node_modules/.package-lock.json
mutants-ts: $(NODE_MODULES) $(MUTANTS)
	$(NPM) run messages
	$(NPM) exec -- node tools/mutants/node_modules/@stryker-mutator/core/bin/stryker.js run tools/mutants/stryker.config.mjs $(if $(MODULES),--mutate "$$(printf 'remotes/%s/src/*.rules.ts,' $(MODULES) | sed 's/,$$//')")

# A separate npm project, because the workspace does not need it, but with the workspace's vitest: two versions do not work in one run.
$(MUTANTS): tools/mutants/package-lock.json
	@tools/node.sh
	npm ci --prefix tools/mutants --legacy-peer-deps --ignore-scripts --no-audit --no-fund --loglevel=error
	ln -sfn ../../../node_modules/vitest tools/mutants/node_modules/vitest
	@touch $@

screenshots: bin/wattle ## contact sheets of every screen, in test-results/screenshots
	$(NPM) exec -- node tools/screenshots.mjs

screens: bin/wattle ## the pictures of docs/screens: twelve main screens in two labels, two languages and two widths
	$(NPM) exec -- node tools/screens.mjs

clean: ## removes everything that was built
	rm -rf bin test-results .cache && find core/internal/http/assets/dist core/internal/teams/packages/dist core/internal/http/docsite/dist -mindepth 1 ! -name .keep -delete
