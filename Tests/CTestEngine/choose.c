#include "CTestEngine.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

void po_choose_logging_engine(void);
void po_choose_postgres_engine(void);
void po_choose_sealed_engine(void);

#ifdef __linux__
// Tests create thousands of stores, and spend a third of their time waiting for the disk at commits. If there is enough
// space, the stores are created in memory, as in `.ci/run`.
static void choose_folder(void) {
    unsigned long long available = 0;
    FILE *memory = fopen("/proc/meminfo", "r");
    if (!memory) return;
    char line[256];
    while (fgets(line, sizeof line, memory))
        if (sscanf(line, "MemAvailable: %llu kB", &available) == 1) break;
    fclose(memory);
    struct statvfs shared;
    if (available < 12000000ULL || statvfs("/dev/shm", &shared) != 0) return;
    if ((unsigned long long)shared.f_bavail * shared.f_frsize < 8000000000ULL) return;
    // A TMPDIR that the user has set takes precedence.
    setenv("TMPDIR", "/dev/shm", 0);
}
#endif

// Tests can open stores anywhere, so the engine of `PO_TEST_ENGINE=logging swift test` or `PO_SEALED=1 swift test` is
// chosen before the first test.
__attribute__((constructor)) static void choose(void) {
#ifdef __linux__
    choose_folder();
#endif
    const char *sealed = getenv("PO_SEALED"), *engine = getenv("PO_TEST_ENGINE");
    if (sealed && strcmp(sealed, "1") == 0) po_choose_sealed_engine();
    if (!engine) return;
    if (strcmp(engine, "logging") == 0) po_choose_logging_engine();
    if (strcmp(engine, "postgres") == 0) po_choose_postgres_engine();
}
