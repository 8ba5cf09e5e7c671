#!/bin/sh
# Stands before Go in the PATH of the lab's kernel, which calls `go get` and `go build` for every cell.
#   build, test: without garbage collection, which makes a cell a tenth faster. The cell's own program keeps the default.
#   get:         nothing, because all that the notebooks need is here already. `%env PRL_FETCH=1` in a cell allows it.
# Everything else goes to Go unchanged.
case "$1" in
build | test)
	text=$(GOGC=off "$PRL_GO" "$@" 2>&1)
	status=$?
	[ -z "$text" ] || printf '%s\n' "$text" >&2
	if [ "$status" -ne 0 ] && [ "$PRL_FETCH" != 1 ]; then
		case "$text" in
		*"cannot find module providing package"* | *"no required module provides package"*)
			echo "The lab does not fetch packages by itself. To allow it, run a cell with the line  %env PRL_FETCH=1  and then this cell again." >&2
			;;
		esac
	fi
	exit "$status"
	;;
get)
	[ "$PRL_FETCH" = 1 ] || exit 0
	if [ -n "$PRL_GOPROXY" ]; then export GOPROXY="$PRL_GOPROXY"; else unset GOPROXY; fi
	;;
esac
exec "$PRL_GO" "$@"
