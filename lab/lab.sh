#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Runs a program in an emulated machine with a Debian kernel: fetches and unpacks the kernel once, builds the module that plays
# the hardware once, then boots. tacho-lab(1).
#
#   lab.sh [--machine NAME] [--kernel VERSION] [--out DIR] [--timeout SECONDS] [--env NAME=VALUE]... [--add FILE]... [-v] -- PROGRAM ARGS...
#   lab.sh --prepare [--machine NAME] [--kernel VERSION]
#
# PROGRAM, with the shared libraries it needs, and each --add FILE lie in /lab/work of the guest, which is where it starts. What it
# leaves in /out comes home to DIR. On other systems than Debian: --kernel-image FILE --modules DIR --headers DIR.
set -eu
umask 022
here=$(cd "$(dirname "$0")" && pwd)

machine=smp kernel=6.12 out='' timeout=1800 verbose='' prepare='' image='' modules='' headers=''
adds='' environment=''

say() { printf 'tacho lab: %s\n' "$*" >&2; }
note() { [ -z "${TACHO_LAB_QUIET:-}" ] && say "$@" || :; }
die() { # STATUS TEXT
	status=$1
	shift
	say "$*"
	exit "$status"
}
quote() { printf "'%s'" "$(printf %s "$1" | sed "s/'/'\\\\''/g")"; }

value() { [ $# -ge 2 ] || die 64 "$1 needs a value"; }
while [ $# -gt 0 ]; do
	case $1 in
	--machine) value "$@"; machine=$2; shift ;;
	--kernel) value "$@"; kernel=$2; shift ;;
	--out) value "$@"; out=$2; shift ;;
	--timeout) value "$@"; timeout=$2; shift ;;
	--env) value "$@"; environment="$environment
export ${2%%=*}=$(quote "${2#*=}")"; shift ;;
	--add) value "$@"; adds="$adds $(quote "$2")"; shift ;;
	--kernel-image) value "$@"; image=$2; shift ;;
	--modules) value "$@"; modules=$2; shift ;;
	--headers) value "$@"; headers=$2; shift ;;
	--prepare) prepare=yes ;;
	-v) verbose=yes ;;
	--) shift; break ;;
	-*) die 64 "unknown option $1" ;;
	*) break ;;
	esac
	shift
done
[ -n "$prepare" ] || [ $# -gt 0 ] || die 64 'no program given'

case $machine in *[!a-z0-9-]* | '') die 64 "machine $machine: a name has letters and digits only" ;; esac
[ -f "$here/machines/$machine.conf" ] ||
	die 64 "unknown machine $machine; there are: $(cd "$here/machines" && ls | sed 's/\.conf$//' | tr '\n' ' ')"
case $kernel in *[!0-9.]* | '') die 64 "--kernel $kernel: expected a version of Debian's kernels, as 6.12 or 6.1" ;; esac
case $timeout in *[!0-9]* | '') die 64 "--timeout $timeout: expected seconds" ;; esac
. "$here/machines/$machine.conf"

for tool in "qemu-system-$architecture:qemu-system-x86" cpio:cpio depmod:kmod make:make gcc-12:gcc-12 busybox:busybox-static; do
	PATH=$PATH:/usr/sbin:/sbin command -v "${tool%%:*}" >/dev/null ||
		die 77 "${tool%%:*} is not installed; the lab needs it (Debian: apt-get install $(sed 's/[ #].*//' "$here/packages" | tr '\n' ' '))"
done
PATH=$PATH:/usr/sbin:/sbin
busybox=$(command -v busybox)

cache=${TACHO_LAB_CACHE:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/tacho/lab}
mkdir -p "$cache" 2>/dev/null || die 1 "$cache: cannot be made; set TACHO_LAB_CACHE to a folder that can be written"
[ -w "$cache" ] || die 1 "$cache: cannot be written; set TACHO_LAB_CACHE to a folder that can be"

work=$(mktemp -d "${TMPDIR:-/tmp}/tacho-lab.XXXXXX") || die 1 'no temporary folder'
qemu='' cats=''
cleanup() {
	trap - EXIT INT TERM HUP PIPE QUIT
	# shellcheck disable=SC2086
	[ -z "$qemu$cats" ] || kill $qemu $cats 2>/dev/null || :
	rm -rf "$work"
}
trap cleanup EXIT
trap 'cleanup; exit 130' INT TERM HUP PIPE QUIT

# The name of the image package of the newest kernel VERSION that apt knows.
find_image() {
	if ! command -v apt-cache >/dev/null; then
		die 77 'this is not a Debian system; give --kernel-image, --modules and --headers of a Debian kernel'
	fi
	case $kernel in
	*.*.*) pattern="^linux-image-$(echo "$kernel" | sed 's/\./\\./g')" ;;
	*) pattern="^linux-image-$(echo "$kernel" | sed 's/\./\\./g')\." ;;
	esac
	apt-cache pkgnames "linux-image-$kernel" | grep "$pattern" | grep -E -- '[0-9]-amd64(-unsigned)?$' | grep -v -- '-dbg$' |
		sed 's/-unsigned$//' | sort -u -V | tail -1
}

# Fetches the packages of a kernel into $cache/VERSION.tmp and unpacks them
fetch() { # RELEASE
	stage=$cache/$1.stage
	rm -rf "$stage"
	mkdir -p "$stage/packages" "$stage/root"
	base=${1%-amd64}
	unsigned=linux-image-$1-unsigned
	apt-cache show "$unsigned" >/dev/null 2>&1 || unsigned=linux-image-$1
	set -- "$unsigned" "linux-headers-$1" "linux-headers-$base-common" "linux-kbuild-$base"
	apt-cache show "$4" >/dev/null 2>&1 || set -- "$1" "$2" "$3" "linux-kbuild-${base%.*}"
	apt-cache show "$4" >/dev/null 2>&1 || set -- "$1" "$2" "$3" "linux-kbuild-$kernel"
	note "fetching the packages of the kernel: $*"
	(cd "$stage/packages" && apt-get download -qq "$@" >"$work/fetch" 2>&1) || {
		rm -rf "$stage"
		return 1
	}
	for package in "$stage"/packages/*.deb; do
		dpkg -x "$package" "$stage/root" || { rm -rf "$stage"; return 1; }
	done
	rm -rf "$stage/packages"
}

# Makes the unpacked headers usable where they lie
relocate() { # ROOT FINAL
	for makefile in "$1"/usr/src/linux-headers-*/Makefile; do
		sed -i "s|^include /usr/src/|include $2/usr/src/|" "$makefile"
	done
	rm -f "$1"/usr/src/linux-headers-*/vmlinux # or modules want pahole, for type information that nobody reads
}

prepare_kernel() {
	if [ -n "$image$modules$headers" ]; then
		[ -f "$image" ] && [ -d "$modules" ] && [ -d "$headers" ] ||
			die 64 'give all three: --kernel-image FILE --modules DIR (of that kernel, with modules.dep) --headers DIR'
		release=$(basename "$modules")
		config=''
		return
	fi
	package=$(find_image)
	if [ -z "$package" ]; then
		note 'apt knows no such kernel; updating its lists'
		apt-get update -qq >"$work/fetch" 2>&1 || :
		package=$(find_image)
	fi
	release=${package#linux-image-}
	root=$cache/$release
	if [ -z "$package" ] || [ ! -d "$root" ]; then
		if [ -z "$package" ] || ! { fetch "$release" || { apt-get update -qq >/dev/null 2>&1 && release=$(find_image) &&
			release=${release#linux-image-} && root=$cache/$release && fetch "$release"; }; }; then
			# whatever of that line was fetched before will do
			old=$(ls -d "$cache/$kernel".*-amd64 2>/dev/null | sort -V | tail -1)
			[ -n "$old" ] || die 77 "no kernel $kernel: apt has no package linux-image-$kernel.* that can be fetched ($(tail -1 "$work/fetch" 2>/dev/null || echo 'unknown to apt')); try \`apt-get update\`, or another --kernel"
			say "the newest kernel $kernel cannot be fetched; using the one fetched before: ${old##*/}"
			release=${old##*/}
		else
			relocate "$cache/$release.stage/root" "$cache/$release"
			rm -rf "${cache:?}/$release"
			mv "$cache/$release.stage/root" "$cache/$release"
			rmdir "$cache/$release.stage"
		fi
	fi
	root=$cache/$release
	image=$root/boot/vmlinuz-$release
	modules=$root/lib/modules/$release
	headers=$root/usr/src/linux-headers-$release
	config=$root/boot/config-$release
}

# The module, built once for this kernel and these sources
prepare_module() {
	sum=$(cat "$here"/module/* | sha256sum | cut -c1-16)
	module_file=$cache/module-$release-$sum.ko
	[ -f "$module_file" ] && return
	note "building the kernel module for $release"
	cp -r "$here/module" "$work/module"
	make -C "$headers" M="$work/module" modules >"$work/make" 2>&1 || {
		tail -20 "$work/make" >&2
		die 1 "the kernel module does not build for $release"
	}
	cp "$work/module/tacho_lab.ko" "$module_file.new.$$"
	mv "$module_file.new.$$" "$module_file"
	rm -rf "$work/module"
}

pack() { (cd "$1" && find . | LC_ALL=C sort | cpio --quiet -o -H newc); }

# The part of the initial file system that is the same for every program
prepare_system() {
	sum=$(cat "$here/init" "$here/lab.sh" "$busybox" | sha256sum | cut -c1-16)
	system_file=$cache/system-$release-$sum.cpio
	[ -f "$system_file" ] && return
	tree=$work/system
	mkdir -p "$tree/bin" "$tree/sbin" "$tree/dev" "$tree/proc" "$tree/sys" "$tree/tmp" "$tree/run" "$tree/root" "$tree/etc" \
		"$tree/boot" "$tree/lab" "$tree/var/lib" "$tree/usr" "$tree/lib/modules/$release/kernel"
	cp "$busybox" "$tree/bin/busybox"
	cp "$here/init" "$tree/init"
	chmod 755 "$tree/init"
	ln -s ../bin/busybox "$tree/sbin/modprobe"
	ln -s ../bin "$tree/usr/bin"
	ln -s ../sbin "$tree/usr/sbin"
	echo 'root:x:0:0:root:/root:/bin/sh' >"$tree/etc/passwd"
	echo 'the emulated machine of tacho-lab(1)' >"$tree/etc/tacho-lab"
	for driver in cpufreq virtio char/virtio_console.ko char/virtio_console.ko.xz; do
		[ -e "$modules/kernel/drivers/$driver" ] || continue
		mkdir -p "$tree/lib/modules/$release/kernel/drivers/$(dirname "$driver")"
		cp -r "$modules/kernel/drivers/$driver" "$tree/lib/modules/$release/kernel/drivers/$driver"
	done
	find "$tree/lib/modules" -name '*.ko.xz' -exec xz -d {} +
	cp "$modules"/modules.builtin "$modules"/modules.order "$tree/lib/modules/$release/" 2>/dev/null || :
	depmod -b "$tree" "$release" 2>/dev/null
	[ -z "$config" ] || cp "$config" "$tree/boot/"
	pack "$tree" >"$system_file.new.$$"
	mv "$system_file.new.$$" "$system_file"
	rm -rf "$tree"
}

# add_file FILE NAME: into the guest, with the libraries it needs
add_file() {
	[ -f "$1" ] || die 64 "$1: no such file"
	cp "$1" "$program_tree/lab/work/$2"
	chmod 755 "$program_tree/lab/work/$2"
	ldd "$1" 2>/dev/null | sed -n 's/.* => \(\/[^ ]*\) .*/\1/p; s/^[[:space:]]*\(\/[^ ]*\) (.*/\1/p' | while read -r library; do
		mkdir -p "$program_tree$(dirname "$library")"
		cp -L "$library" "$program_tree$library"
	done
}

prepare_program() {
	program_tree=$work/program
	mkdir -p "$program_tree/lab/work"
	cp "$module_file" "$program_tree/lab/tacho_lab.ko"
	cp "$here/machines/$machine.conf" "$program_tree/lab/machine.conf"
	printf '%s\n' "$environment" >"$program_tree/lab/environment"
	name=$(basename "$1")
	add_file "$1" "$name"
	{
		printf 'exec ./%s' "$(quote "$name")"
		shift
		for argument; do printf ' %s' "$(quote "$argument")"; done
		echo
	} >"$program_tree/lab/command"
	eval "set -- $adds"
	for file; do add_file "$file" "$(basename "$file")"; done
	cat "$system_file" >"$work/initrd"
	pack "$program_tree" >>"$work/initrd"
}

# Starting these is half of the time that the kernel takes to boot, and nothing here needs them: self-tests of ciphers, certificates, a source of
# random bits, and types of network filters
skipped=cryptomgr.notests=1
skipped=$skipped\ initcall_blacklist=jent_mod_init,load_system_certificate_list,bpf_tcp_ca_kfunc_init,bpf_dummy_struct_ops_init

boot() {
	# shellcheck disable=SC2154
	ports='-device virtio-serial-pci'
	for port in stdin stdout stderr results status; do
		mkfifo "$work/$port" 2>/dev/null || :
		ports="$ports -device virtserialport,chardev=$port,name=$port"
	done
	rm -f "$work/results" "$work/status" "$work/stdin"
	cat "$work/stdout" &
	cats=$!
	cat "$work/stderr" >&2 &
	cats="$cats $!"
	# shellcheck disable=SC2086
	# where this shell is killed, timeout gets a signal, and passes it on
	setpriv --pdeathsig TERM timeout -k 5 "$timeout" "qemu-system-$architecture" -nodefaults -no-user-config -display none -no-reboot -accel tcg -cpu "$cpu" -smp "$cpus" -m "$memory" \
		-icount "shift=$icount,sleep=off" -rtc base=utc,clock=vm \
		-kernel "$image" -initrd "$work/initrd" \
		-append "console=ttyS0 quiet loglevel=4 maxcpus=1 tsc=reliable panic=-1 nokaslr mitigations=off random.trust_cpu=on rdinit=/init $skipped" \
		-serial "file:$work/console" \
		-chardev "null,id=stdin" -chardev "file,id=stdout,path=$work/stdout" -chardev "file,id=stderr,path=$work/stderr" \
		-chardev "file,id=results,path=$work/results" -chardev "file,id=status,path=$work/status" \
		$ports </dev/null >"$work/qemu" 2>&1 &
	qemu=$!
	r=0
	wait "$qemu" 2>/dev/null || r=$?
	qemu=''
	late=''
	[ "$r" != 124 ] && [ "$r" != 137 ] || late=yes
	for c in $cats; do wait "$c" 2>/dev/null || :; done
	cats=''
	[ -z "$verbose" ] || cat "$work/console" >&2
}

console_tail() {
	if grep -q 'Kernel panic' "$work/console" 2>/dev/null; then
		sed -n '/Kernel panic/,$p' "$work/console" | head -15 | tr -d '\r' | sed 's/^/    /' >&2
	elif [ -s "$work/console" ]; then
		tail -15 "$work/console" | tr -d '\r' | sed 's/^/    /' >&2
	else
		echo '    (nothing on its console)' >&2
	fi
}

(
	flock 9
	prepare_kernel
	prepare_module
	prepare_system
	printf '%s\n' "release='$release' image='$image' module_file='$module_file' system_file='$system_file'" >"$work/prepared"
) 9>"$cache/lock" || exit $?
. "$work/prepared"
[ -z "$prepare" ] || exit 0
prepare_program "$@"
note "booting $machine with Linux $release (an emulated machine: a model, not hardware)"
boot

if [ ! -s "$work/status" ]; then
	if [ -n "$late" ]; then
		say "the emulated machine did not end within $timeout s; its last words:"
	elif [ -s "$work/qemu" ]; then
		die 1 "qemu: $(tail -1 "$work/qemu")"
	else
		say 'the emulated machine stopped before the program ended; its last words:'
	fi
	console_tail
	exit 1
fi
if [ -n "$out" ]; then
	mkdir -p "$out"
	tar xmf "$work/results" -C "$out" || die 1 "$out: what the guest left cannot be unpacked"
fi
exit "$(cat "$work/status")"
