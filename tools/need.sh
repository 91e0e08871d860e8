#!/usr/bin/env bash
# Brings in what `make test` needs beside Go, Node and npm, from the system's packages: need.sh chromium postgresql gcc
# Where that is not possible it says exactly what to install.
set -u
have() {
	case $1 in
	chromium) [ -n "${CHROMIUM:-}" ] || command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null ;;
	postgresql) [ -n "${WATTLE_TEST_POSTGRES:-}" ] || command -v initdb >/dev/null || compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null ;;
	*) command -v "$1" >/dev/null ;;
	esac
}
missing=()
for need in "$@"; do have "$need" || missing+=("$need"); done
[ ${#missing[@]} -eq 0 ] && exit 0
if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
	echo "installing ${missing[*]}"
	export DEBIAN_FRONTEND=noninteractive
	apt-get update -qq
	# A large install is known to fail half-way and to work the second time.
	apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null || apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi
for need in "${missing[@]}"; do
	have "$need" || { echo "make test needs $need: install it with your system's package manager (Debian: apt-get install ${missing[*]})" >&2; exit 1; }
done
