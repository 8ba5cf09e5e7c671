# Starts a student's server in the image's files, as hub/jupyterhub_config.py asks Docker to: a volume for the notebooks, one for the home, /tmp
# in memory, all else read-only, no rights. The network is the test's own, of which there is only the loopback.
set -e
notebooks=$volumes/$number/notebooks home=$volumes/$number/home
mkdir -p "$notebooks" "$home"
chmod 1777 "$notebooks" "$home"
export notebooks home
env | grep -E '^(JUPYTERHUB|JUPYTER)[A-Z_]*=' >"$volumes/$number/environment"
exec unshare --mount --pid --fork --kill-child --propagation private sh -ec "$(cat "$tests/contain.sh")"'
while IFS= read -r entry; do set -- "$@" "$entry"; done <"$volumes/$number/environment"
while IFS= read -r entry; do set -- "$@" "$entry"; done <"$volumes/image-environment"
exec chroot "$root" setpriv --reuid="$uid" --regid=100 --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all \
	env -i "$@" sh -c "cd /lab/notebooks && exec lab-entrypoint jupyterhub-singleuser"' sh
