# SPDX-License-Identifier: GPL-2.0-or-later
# The efficiency of real governors in the emulated machine: what the published experiment shows must show here.
. "$TACHO_SOURCE/tests/lab/tacho.sh"

efficiency_of() { # CONFIGURATION FILE: estimate, low and high
	jq -r --arg name "$1" '.configurations[] | select(.name == $name) | .metrics[] | select(.name == "efficiency") |
		"\(.estimate // .median) \(.low) \(.high)"' "$2"
}
check() { # DESCRIPTION AWK-CONDITION NUMBERS...
	description=$1 condition=$2
	shift 2
	echo "$*" | awk "{ exit !($condition) }" || fail "$description: $*"
}

published='--run 100ms --sleep 1s --loops 5 --repeat 6'
# shellcheck disable=SC2086
inside 0 -- efficiency $published --seed 1 --format json --samples
cp "$tmp/out" "$tmp/first"
# shellcheck disable=SC2086
inside 0 -- efficiency $published --seed 1 --format json
cp "$tmp/out" "$tmp/second"
for file in first second; do
	json .experiment.emulated true "$tmp/$file"
	json '.configurations | length' 5 "$tmp/$file"
	set -- $(for c in performance powersave ondemand schedutil conservative; do efficiency_of "$c" "$tmp/$file"; done)
	[ $# = 15 ] || fail "efficiencies: $*"
	check 'performance is 100' '$1 > 99.999 && $1 < 100.001' "$@"
	check 'the lowest frequency is 0' '$4 > -0.001 && $4 < 0.001' "$@"
	check 'ondemand and schedutil are above 90' '$7 > 90 && $10 > 90' "$@"
	check 'conservative is below both and above 0' '$13 < $7 && $13 < $10 && $13 > 0' "$@"
	check 'no interval is wider than 5 points' '$9 - $8 <= 5 && $12 - $11 <= 5 && $15 - $14 <= 5' "$@"
	eval "$file='$7 $10 $13'"
done
check 'a second experiment differs by at most 1 point' \
	'($1-$4)^2 <= 1 && ($2-$5)^2 <= 1 && ($3-$6)^2 <= 1' "$first" "$second"
order='[.blocks[] | [.runs[] | {configuration, order}] | sort_by(.order) | map(.configuration)]'
[ "$(jq -c "$order" "$tmp/first")" = "$(jq -c "$order" "$tmp/second")" ] || fail 'the same seed gave another order'
# every iteration of every run is kept
json '[.samples[] | select(.name == "work_duration") | .values | length] | [length, add]' '[30,150]' "$tmp/first"

# it came home, marked
"$TACHO_RELEASE" log --format json >"$tmp/out" || fail log
json '.experiments | length' 2
json '[.experiments[].emulated] | unique' '[true]'
"$TACHO_RELEASE" show -1 >"$tmp/out" || fail show
grep -q 'emulated' "$tmp/out" || fail 'show does not say that it was emulated'
finish
