#pragma once
#include <stdint.h>

// Besides, the target chooses the engine of the tests, and the folder of their stores, before the first of them runs.

/// The bytes that this process has from `malloc`; -1 where they cannot be told.
int64_t po_used_memory(void);
