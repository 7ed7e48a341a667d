#include "CTestEngine.h"
#include <stdlib.h>
#include <string.h>

void po_choose_logging_engine(void);
void po_choose_postgres_engine(void);

// Tests open their stores wherever they like, so the engine of `PO_TEST_ENGINE=logging swift test` is chosen before any.
__attribute__((constructor)) static void choose(void) {
    const char *engine = getenv("PO_TEST_ENGINE");
    if (!engine) return;
    if (strcmp(engine, "logging") == 0) po_choose_logging_engine();
    if (strcmp(engine, "postgres") == 0) po_choose_postgres_engine();
}
