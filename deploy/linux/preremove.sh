#!/bin/sh
# Before a removal, not before an upgrade: then the previous version serves until the new one is installed. deb: "remove". rpm: 0.
set -e
case "$1" in
remove | 0)
	if [ -d /run/systemd/system ]; then systemctl disable --now wattle.service; fi
	;;
esac
