# SPDX-License-Identifier: GPL-2.0-or-later
# Every option that --help shows is in a man page, and every option that a man page of a verb describes exists; so do verbs.
. "$TACHO_SOURCE/tests/cli/lib.sh"
cd "$TACHO_SOURCE/man" || exit 1

options() { sed -n 's/^ *\(-.,\)\{0,1\} *--\([a-z-]*\).*/\2/p'; }

"$TACHO" --help >"$tmp/help" || fail '--help'
verbs=$(sed -n 's/^  \([a-z]\{1,\}\)  .*/\1/p' "$tmp/help")
[ "$(echo "$verbs" | wc -w)" -ge 7 ] || fail "--help lists only: $verbs"
all=
for verb in $verbs; do
	"$TACHO" "$verb" --help >"$tmp/verb" || fail "$verb --help"
	[ "$(awk 'length > 100' "$tmp/verb" | wc -l)" = 0 ] || fail "$verb --help is wider than a screen"
	grep -q "\*$verb\*" tacho.1.scd || fail "tacho.1 does not name the verb $verb"
	found=$(options <"$tmp/verb")
	[ -n "$found" ] || fail "$verb --help shows no option"
	for option in $found; do
		grep -q -e "\*--$option\*" tacho.1.scd "tacho-$verb.1.scd" 2>/dev/null ||
			fail "option --$option of $verb is in no man page"
	done
	all="$all $found"
done
for page in *.scd; do
	for option in $(grep -o '^\(\*-.\*, \)\{0,1\}\*--[a-z-]*\*' "$page" | sed 's/.*\*--\(.*\)\*/\1/'); do
		case " $(echo $all) " in
		*" $option "*) ;;
		*) fail "$page describes --$option, which no verb has" ;;
		esac
	done
	! command -v scdoc >/dev/null || scdoc <"$page" >/dev/null || fail "$page is no good scdoc"
done
finish
