/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of cores by implementer and part number of the MIDR (arch/arm64/include/asm/cputype.h;
 * Arm's core manuals). */
#include "machine/internal.h"

static const struct {
	unsigned implementer, part;
	const char *name;
} cores[] = {
	{ 0x41, 0xc05, "Cortex-A5" },     { 0x41, 0xc07, "Cortex-A7" },
	{ 0x41, 0xc08, "Cortex-A8" },     { 0x41, 0xc09, "Cortex-A9" },
	{ 0x41, 0xc0d, "Cortex-A12" },    { 0x41, 0xc0e, "Cortex-A17" },
	{ 0x41, 0xc0f, "Cortex-A15" },    { 0x41, 0xd01, "Cortex-A32" },
	{ 0x41, 0xd02, "Cortex-A34" },    { 0x41, 0xd03, "Cortex-A53" },
	{ 0x41, 0xd04, "Cortex-A35" },    { 0x41, 0xd05, "Cortex-A55" },
	{ 0x41, 0xd06, "Cortex-A65" },    { 0x41, 0xd07, "Cortex-A57" },
	{ 0x41, 0xd08, "Cortex-A72" },    { 0x41, 0xd09, "Cortex-A73" },
	{ 0x41, 0xd0a, "Cortex-A75" },    { 0x41, 0xd0b, "Cortex-A76" },
	{ 0x41, 0xd0c, "Neoverse-N1" },   { 0x41, 0xd0d, "Cortex-A77" },
	{ 0x41, 0xd0e, "Cortex-A76AE" },  { 0x41, 0xd40, "Neoverse-V1" },
	{ 0x41, 0xd41, "Cortex-A78" },    { 0x41, 0xd42, "Cortex-A78AE" },
	{ 0x41, 0xd44, "Cortex-X1" },     { 0x41, 0xd46, "Cortex-A510" },
	{ 0x41, 0xd47, "Cortex-A710" },   { 0x41, 0xd48, "Cortex-X2" },
	{ 0x41, 0xd49, "Neoverse-N2" },   { 0x41, 0xd4a, "Neoverse-E1" },
	{ 0x41, 0xd4b, "Cortex-A78C" },   { 0x41, 0xd4c, "Cortex-X1C" },
	{ 0x41, 0xd4d, "Cortex-A715" },   { 0x41, 0xd4e, "Cortex-X3" },
	{ 0x41, 0xd4f, "Neoverse-V2" },   { 0x41, 0xd80, "Cortex-A520" },
	{ 0x41, 0xd81, "Cortex-A720" },   { 0x41, 0xd82, "Cortex-X4" },
	{ 0x41, 0xd84, "Neoverse-V3" },   { 0x41, 0xd85, "Cortex-X925" },
	{ 0x41, 0xd87, "Cortex-A725" },   { 0x41, 0xd8e, "Neoverse-N3" },
	{ 0x51, 0x800, "Kryo 2xx Gold" }, { 0x51, 0x801, "Kryo 2xx Silver" },
	{ 0x51, 0x802, "Kryo 3xx Gold" }, { 0x51, 0x803, "Kryo 3xx Silver" },
	{ 0x51, 0x804, "Kryo 4xx Gold" }, { 0x51, 0x805, "Kryo 4xx Silver" },
	{ 0x61, 0x022, "Icestorm" },      { 0x61, 0x023, "Firestorm" },
	{ 0xc0, 0xac3, "Ampere-1" },      { 0xc0, 0xac4, "Ampere-1a" },
};

const char *midr_name(uint64_t midr)
{
	if (midr == UNKNOWN)
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(cores); i++)
		if (cores[i].implementer == (midr >> 24 & 0xff) &&
		    cores[i].part == (midr >> 4 & 0xfff))
			return cores[i].name;
	return NULL;
}
