#pragma once
#include <stdint.h>

// The target also chooses the tests' engine, and the folder of their stores, before the first test runs.

/// The number of bytes that this process has allocated with `malloc`; -1 if it is unknown.
int64_t po_used_memory(void);
