#!/usr/bin/env bash
# Installs what `make test` needs in addition to Go, Node and npm, from the system's packages: need.sh chromium postgresql gcc
# Where that is not possible it prints exactly what to install. A name that ends in ? is optional and is installed if the system has the
# package: chromium-headless-shell? makes tests faster, without bubblewrap? the container of a release is not run,
# without pgbouncer? no portal behind a pooler, without haproxy? a stand-in balances the portals of test/cluster, without promtool?
# the alerts are not tried, and without systemd-container? no Debian is booted. promtool is taken out of the package prometheus into bin,
# because installing that package would start a server.
set -u
have() {
	case $1 in
	chromium) [ -n "${CHROMIUM:-}" ] || command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null ;;
	postgresql) [ -n "${WATTLE_TEST_POSTGRES:-}" ] || command -v initdb >/dev/null || compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null ;;
	bubblewrap) command -v bwrap >/dev/null ;;
	haproxy) command -v haproxy >/dev/null || [ -x /usr/sbin/haproxy ] ;;
	pgbouncer) command -v pgbouncer >/dev/null || [ -x /usr/sbin/pgbouncer ] ;;
	systemd-container) command -v systemd-nspawn >/dev/null ;;
	promtool) command -v promtool >/dev/null || [ -x bin/promtool ] ;;
	*) command -v "$1" >/dev/null ;;
	esac
}
missing=() faster=() packages=()
for need in "$@"; do
	case $need in
	*\?) have "${need%\?}" || faster+=("${need%\?}") ;;
	*) have "$need" || missing+=("$need") ;;
	esac
done
[ ${#missing[@]} -eq 0 ] && [ ${#faster[@]} -eq 0 ] && exit 0
if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
	echo "installing ${missing[*]} ${faster[*]}"
	export DEBIAN_FRONTEND=noninteractive
	timeout 300 apt-get update -qq || true
	# A large install sometimes fails half-way and works the second time.
	install() { apt-get install -y -qq --no-install-recommends "$@" >/dev/null 2>&1; }
	[ ${#missing[@]} -eq 0 ] || install "${missing[@]}" || install "${missing[@]}" || true
	for need in "${faster[@]}"; do
		if [ "$need" != promtool ]; then
			packages+=("$need")
		elif work=$(mktemp -d) && (cd "$work" && timeout 300 apt-get download -qq prometheus && dpkg-deb --extract prometheus_*.deb .) >/dev/null 2>&1; then
			mkdir -p bin && mv "$work/usr/bin/promtool" bin/ && rm -rf "$work"
		fi
	done
	[ ${#packages[@]} -eq 0 ] || timeout 300 apt-get install -y -qq --no-install-recommends "${packages[@]}" >/dev/null 2>&1 || true
fi
for need in "${missing[@]}"; do
	have "$need" || { echo "make test needs $need: install it with your system's package manager (Debian: apt-get install ${missing[*]})" >&2; exit 1; }
done
