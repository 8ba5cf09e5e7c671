#!/bin/sh
# Starts the lab in a container: brings the notebooks to an empty volume, sees to a token, prints the address and becomes JupyterLab.
# With arguments it becomes that program instead (jupyterhub-singleuser, go tool prl run, sh ...).
set -eu
me="$(id -u):$(id -g)"
notebooks=/lab/notebooks
originals=/usr/local/share/prl/notebooks
version=$(cat /usr/local/share/prl/version)

# Group 0 is the group of those whose user id is drawn by a platform and may be another tomorrow: what one writes, the next may change.
if [ "$(id -g)" -eq 0 ]; then umask 002; else umask 022; fi

fail() {
	echo "lab: $*" >&2
	exit 1
}

# Each user id has a home of its own on the volume. Settings in it are programs that run as its owner, so it must be the user's and nobody else may
# write in it: a folder that another user has put there beforehand is refused.
for place in "$HOME" "${TMPDIR:-/tmp}"; do
	[ -d "$place" ] && [ -w "$place" ] || fail "user $me cannot write in $place; mount a volume or a tmpfs of mode 1777 there"
done
if [ "$HOME" = /home/prl ]; then
	HOME=$HOME/$(id -u)
	mkdir -m 700 "$HOME" 2>/dev/null || true # of two starts at once, one makes it
	if [ -L "$HOME" ] || [ ! -d "$HOME" ] || [ ! -O "$HOME" ] || [ -n "$(find "$HOME" -maxdepth 0 -perm /022)" ]; then
		fail "$HOME is not the home of user $me alone: it belongs to another, or others may write in it. Look what is in it, then remove it:
    docker compose -f docker/compose.yaml run --rm --user 0 --cap-add DAC_OVERRIDE --entrypoint rm lab -r $HOME"
	fi
fi

# A cell is a program that is built in the temporary folder and run there.
probe=$(mktemp "${TMPDIR:-/tmp}/lab-probe.XXXXXX")
printf '#!/bin/sh\n' >"$probe"
chmod 700 "$probe"
"$probe" 2>/dev/null || fail "programs in ${TMPDIR:-/tmp} cannot be run; mount its tmpfs with the option exec"
rm -f "$probe"

# The first start copies the notebooks. The file .seeded says that it is done: afterwards nothing is copied again, so that what a person has
# thrown away stays so. A copy gets its name when it is whole, and none takes the place of a file that is there.
seed() {
	(cd "$originals" && find . -type d) | while IFS= read -r dir; do mkdir -p "$notebooks/$dir"; done
	(cd "$originals" && find . -type f) | while IFS= read -r file; do
		[ ! -e "$notebooks/$file" ] || continue
		part=$(mktemp "$notebooks/$(dirname "$file")/.seed.XXXXXX")
		cat "$originals/$file" >"$part"
		chmod "$(printf %o $((0666 & ~0$(umask))))" "$part"
		mv -n "$part" "$notebooks/$file" || [ -e "$notebooks/$file" ]
		rm -f "$part"
	done
	touch "$notebooks/.seeded"
	brought
}

# brought lets the chapters of this image come to a volume that another image has filled: new ones come, those that the person has not changed are
# replaced, and corrections are taken into the others, with the person's cells kept. .seeded holds the version that was brought last.
brought() {
	if lab-notebooks >&2; then
		printf '%s\n' "$version" >"$notebooks/.seeded"
	else
		echo "lab: new versions of notebooks could not be brought to the volume; the old ones stay" >&2
	fi
}
if [ ! -e "$notebooks/.seeded" ]; then
	if [ -w "$notebooks" ]; then
		# What an interrupted start has left. Another start on the same volume may take its own away meanwhile, which find calls an error.
		find "$notebooks" -name '.seed.*' -type f -mmin +10 -delete 2>/dev/null || true
		seed
	elif [ -z "$(ls -A "$notebooks")" ]; then
		fail "user $me cannot write in $notebooks, so the notebooks cannot be put there"
	fi
elif [ -w "$notebooks" ] && [ "$(cat "$notebooks/.seeded")" != "$version" ]; then
	brought
fi

# tini is the first process: it ends all others when the container is stopped, and buries those whose parent is gone.
[ $# -eq 0 ] || exec tini -s -g -- "$@"

if [ -n "$(find "$notebooks" -maxdepth 1 -name '*.ipynb' ! -writable -print -quit)" ]; then
	echo "lab: notebooks on the volume belong to another user; $me can run but not save them. To hand them over:" >&2
	echo "    docker compose -f docker/compose.yaml run --rm --user 0 --cap-add CHOWN lab chown -R $me $notebooks" >&2
fi

# The token is always on. It reaches the server through a pipe: a variable would be seen in /proc by every program of the same user, and
# inherited by every kernel.
port=${PRL_PORT:-8888} # where the person's browser finds the container's port 8888
token=${JUPYTER_TOKEN:-}
if [ -z "$token" ]; then
	token=$(python3 -c 'import secrets; print(secrets.token_hex(24))')
	echo "The lab is at  http://127.0.0.1:$port/lab?token=$token"
else
	echo "The lab is at  http://127.0.0.1:$port/lab  and asks for the token you gave."
fi
unset JUPYTER_TOKEN
export PRL_TOKEN_FD=3
# Only errors are logged: the address above stays in sight, and the health check knocks as a stranger every few seconds.
exec tini -s -g -- jupyter-lab --log-level=ERROR 3<<TOKEN
$token
TOKEN
