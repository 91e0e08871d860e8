#!/bin/sh
# Runs after an installation or an upgrade. The arguments of deb are "configure" and the previous version, if there was one; the argument of
# rpm is the number of installed versions.
set -e
case "$1" in
configure) [ -z "$2" ] && first=yes || first=no ;;
1) first=yes ;;
2) first=no ;;
*) exit 0 ;;
esac

if ! getent group wattle >/dev/null; then groupadd --system wattle; fi
if ! getent passwd wattle >/dev/null; then
	useradd --system --gid wattle --home-dir /var/lib/wattle --no-create-home --shell /usr/sbin/nologin --comment Wattle wattle
fi
chgrp wattle /etc/wattle/wattle.cue /etc/wattle/wattle.env /etc/wattle/labels
install -d -o wattle -g wattle -m 0700 /var/lib/wattle

if [ -d /run/systemd/system ]; then
	systemctl daemon-reload
	[ "$first" = yes ] || systemctl try-restart wattle.service
fi
if [ "$first" = yes ]; then
	cat <<'TEXT'
Wattle is installed and does not run yet. Its settings are in /etc/wattle/wattle.cue, its labels in /etc/wattle/labels:
  wattle labels new 2001 --name "Your company" --host my.example.org --labels /etc/wattle/labels
  systemctl enable --now wattle
TEXT
fi
