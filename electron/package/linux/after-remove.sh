#!/bin/sh
set -e
app='/opt/${sanitizedProductName}'
command='/usr/bin/${executable}'

# Called before an upgrade, too; what the new version brings is then in its place already.
case "$1" in
  remove | purge)
    if [ "$(readlink "$command" || true)" = "$app/resources/bin/${executable}" ]; then rm -f "$command"; fi
    ;;
esac
