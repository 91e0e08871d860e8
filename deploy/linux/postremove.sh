#!/bin/sh
# Runs after a removal. Data and labels stay, also after a purge: only the operator deletes the records of customers.
set -e
case "$1" in
remove | 0)
	if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
	[ "$1" = remove ] || rm -f /usr/bin/wattle.previous /usr/bin/wattle.upgrade.json /usr/bin/wattle.upgrade.lock
	;;
purge)
	# files that `wattle upgrade` keeps next to the program
	rm -f /usr/bin/wattle.previous /usr/bin/wattle.upgrade.json /usr/bin/wattle.upgrade.lock
	echo "The data in /var/lib/wattle, the labels in /etc/wattle/labels and the user wattle stay. Delete them when you do not need them any more."
	;;
esac
