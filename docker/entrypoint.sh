#!/bin/sh
# Starts the lab in a container: brings the notebooks to an empty volume, sees to a token, prints the address and becomes JupyterLab.
# With arguments it becomes that program instead (jupyterhub-singleuser, go tool prl run, sh ...).
set -eu
umask 022

notebooks=/lab/notebooks
originals=/usr/local/share/prl/notebooks

fail() {
	echo "lab: $*" >&2
	exit 1
}

for place in "$HOME" "${TMPDIR:-/tmp}"; do
	[ -d "$place" ] && [ -w "$place" ] || fail "user $(id -u):$(id -g) cannot write in $place; mount a volume or a tmpfs of mode 1777 there"
done

# A cell is a program that is built in the temporary folder and run there.
probe=$(mktemp "${TMPDIR:-/tmp}/lab-probe.XXXXXX")
printf '#!/bin/sh\n' >"$probe"
chmod 700 "$probe"
"$probe" 2>/dev/null || fail "programs in ${TMPDIR:-/tmp} cannot be run; mount its tmpfs with the option exec"
rm -f "$probe"

# The first start copies the notebooks. The file .seeded says that it is done: afterwards nothing is copied, so that what a person has
# changed or thrown away stays so. A copy gets its name when it is whole, and none takes the place of a file that is there.
seed() {
	(cd "$originals" && find . -type d) | while IFS= read -r dir; do mkdir -p "$notebooks/$dir"; done
	(cd "$originals" && find . -type f) | while IFS= read -r file; do
		[ ! -e "$notebooks/$file" ] || continue
		cp "$originals/$file" "$notebooks/$file.part"
		chmod u+w "$notebooks/$file.part"
		mv "$notebooks/$file.part" "$notebooks/$file"
	done
	touch "$notebooks/.seeded"
}
if [ ! -e "$notebooks/.seeded" ]; then
	if [ -w "$notebooks" ]; then
		seed
	elif [ -z "$(ls -A "$notebooks")" ]; then
		fail "user $(id -u):$(id -g) cannot write in $notebooks, so the notebooks cannot be put there"
	fi
fi

[ $# -eq 0 ] || exec "$@"

# The token is always on. The server's settings take it from the environment and remove it there, so that no kernel inherits it.
if [ -z "${JUPYTER_TOKEN:-}" ]; then
	JUPYTER_TOKEN=$(python3 -c 'import secrets; print(secrets.token_hex(24))')
	shown=$JUPYTER_TOKEN
else
	shown='the token you gave'
fi
export JUPYTER_TOKEN
port=${PRL_PORT:-8888} # where the person's browser finds the container's port 8888
if [ "$shown" = "$JUPYTER_TOKEN" ]; then
	echo "The lab is at  http://127.0.0.1:$port/lab?token=$shown"
else
	echo "The lab is at  http://127.0.0.1:$port/lab  and asks for $shown."
fi
exec jupyter-lab
