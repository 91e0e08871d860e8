#!/bin/sh
# Stops the service before a removal, but not before an upgrade, during which the previous version serves until the new one is installed. The
# argument before a removal is "remove" (deb) or 0 (rpm).
set -e
case "$1" in
remove | 0)
	if [ -d /run/systemd/system ]; then systemctl disable --now wattle.service; fi
	;;
esac
