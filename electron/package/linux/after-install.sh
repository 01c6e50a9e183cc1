#!/bin/sh
set -e
app='/opt/${sanitizedProductName}'
command='/usr/bin/${executable}'

# Chromium makes its sandbox of user namespaces and, where ordinary users may have none, by this helper of root's.
chown root:root "$app/chrome-sandbox"
chmod 4755 "$app/chrome-sandbox"

# Somebody else's command of this name is left alone.
if [ -L "$command" ] || [ ! -e "$command" ]; then
  ln -sf "$app/resources/bin/${executable}" "$command"
fi
