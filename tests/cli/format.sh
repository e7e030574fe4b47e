# SPDX-License-Identifier: GPL-2.0-or-later
# Every C file is as clang-format 14 writes it, and starts with its licence.
cd "$TACHO_SOURCE" || exit 1
command -v clang-format-14 >/dev/null || { echo 'clang-format-14 is not installed'; exit 77; }
files=$(find src tests bench -name '*.[ch]')
[ -n "$files" ] || exit 1
bad=0
for file in $files; do
	head -1 "$file" | grep -q 'SPDX-License-Identifier: GPL-2.0-or-later' || { echo "$file: no licence line"; bad=1; }
done
# shellcheck disable=SC2086
clang-format-14 --style=file --dry-run -Werror $files || bad=1
exit "$bad"
