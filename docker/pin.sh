#!/bin/sh
# Pins the bases of the images by content, and renews the pins: writes the digests that the bases have today, for all their architectures, into the
# Dockerfiles. Look at the difference, build, test, commit.
#
#   docker/pin.sh            asks by docker buildx, which needs the network and no daemon
set -eu
cd "$(dirname "$0")"
for file in Dockerfile hub/Dockerfile; do
	sed -n 's/^ARG \([A-Z]*\)_IMAGE=\(.*\)$/\1 \2/p' "$file" | while read -r base image; do
		digest=$(docker buildx imagetools inspect --format '{{.Manifest.Digest}}' "$image")
		case $digest in
		sha256:????????????????????????????????????????????????????????????????) ;;
		*)
			echo "pin: docker says \"$digest\" of $image, which is no digest" >&2
			exit 1
			;;
		esac
		sed "s/^ARG ${base}_DIGEST=.*/ARG ${base}_DIGEST=@$digest/" "$file" >"$file.pinned"
		cat "$file.pinned" >"$file"
		rm "$file.pinned"
		echo "$file: $image@$digest"
	done
done
