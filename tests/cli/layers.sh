# SPDX-License-Identifier: GPL-2.0-or-later
# Who may include whom (CONTRIBUTING.md): a layer includes itself and those below it; workloads, knobs and meters know
# nothing of each other.
cd "$TACHO_SOURCE" || exit 1
bad=0

allow() { # FOLDER ALLOWED...
	folder=$1
	shift
	for file in src/"$folder"/*.[ch] src/"$folder"/*/*.[ch]; do
		[ -f "$file" ] || continue
		for target in $(sed -n 's|^#include "\([a-z]*\)/.*|\1|p' "$file"); do
			case " $folder $* " in
			*" $target "*) ;;
			*)
				echo "$file includes $target/, but $folder may include only: $*"
				bad=1
				;;
			esac
		done
	done
}

allow lib
allow stats lib
allow machine lib
allow knob lib machine
allow workload lib machine
allow meter lib machine
allow trace lib machine
allow experiment lib stats machine knob meter trace workload
allow measurement lib stats machine knob meter trace workload experiment
allow store lib stats
allow report lib stats store

# workloads do not include each other; task.h is what they share
for file in src/workload/*.c; do
	own=$(basename "$file" .c)
	for target in $(sed -n 's|^#include "workload/\(.*\)\.h".*|\1|p' "$file"); do
		case $target in "$own" | task) ;; *)
			echo "$file includes workload/$target.h"
			bad=1
			;;
		esac
	done
done
[ -n "$(ls src/lib/*.h)" ] || bad=1
exit "$bad"
