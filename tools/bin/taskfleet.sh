#!/bin/sh
# Runs the built command. Whatever Node.js a shell finds first, the command runs on the one the project
# carries, where there is one. A shell starts in a fraction of the time a second Node.js would take.
root=$(dirname "$(readlink -f "$0")")/../..
if [ ! -e "$root/dist/cli/main.js" ]; then
  echo 'taskfleet is not built yet: run `npm run build`' >&2
  exit 2
fi
node=$root/node_modules/.bin/node
[ -x "$node" ] || node=node
exec "$node" "$root/dist/cli/main.js" "$@"
