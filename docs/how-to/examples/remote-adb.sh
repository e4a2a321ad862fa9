#!/bin/sh
# remote-adb.sh ADDRESS...: tests on phones that a farm lends as addresses for `adb connect`.
set -eu

[ $# -gt 0 ] || { echo "usage: $0 HOST:PORT..." >&2; exit 2; }

let_go() {
    for address in "$@"; do adb disconnect "$address" || true; done
}
trap 'let_go "$@"' EXIT

for address in "$@"; do adb connect "$address"; done

devices=""
doctor=""
for address in "$@"; do
    devices="$devices --replicant-device=android:$address"
    doctor="$doctor --device android:$address"
done

# An address holds no blank, so that the lists may be split at them.
replicant doctor $doctor
pytest -n "$#" $devices --replicant-output=report
