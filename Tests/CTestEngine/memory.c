#include "CTestEngine.h"
#if defined(__GLIBC__)
#include <malloc.h>

int64_t po_used_memory(void) {
    struct mallinfo2 all = mallinfo2();
    return (int64_t)(all.uordblks + all.hblkhd);
}
#else
int64_t po_used_memory(void) { return -1; }
#endif
