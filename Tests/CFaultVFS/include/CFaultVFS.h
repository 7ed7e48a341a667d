#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Injects faults into a folder's files, and observes calls, for all connections of this process that are opened after
/// `po_watch_folder`. Other folders are not affected, so tests can run concurrently.
typedef struct po_watch po_watch;

/// SQLite's calls to the file system, as bits.
typedef enum {
    PO_OPEN = 1 << 0,
    PO_READ = 1 << 1,
    PO_WRITE = 1 << 2,
    PO_SYNC = 1 << 3,
    PO_TRUNCATE = 1 << 4,
    PO_DELETE = 1 << 5,
    PO_LOCK = 1 << 6,
    PO_SIZE = 1 << 7,
    PO_SHARED_MEMORY = 1 << 8,
    PO_ACCESS = 1 << 9,
    PO_CLOSE = 1 << 10,
    PO_ANY = 0x7ff,
    /// All calls that change the file.
    PO_CHANGES = PO_WRITE | PO_SYNC | PO_TRUNCATE | PO_DELETE,
} po_call;

typedef enum {
    /// The call is not made, and returns the error of SQLite's own file system.
    PO_FAIL,
    /// As `PO_FAIL`, but no space is left. Calls that need no space are made.
    PO_FULL,
    /// Half of a write is made, and then it fails.
    PO_SHORT,
    /// The process is killed, and the call is not made.
    PO_KILL,
    /// Half of a write is made, and then the process is killed.
    PO_TEAR,
    /// A read returns zeros without an error, like a transient disk fault. Other calls are made.
    PO_GARBLE,
} po_fault;

/// Starts to watch a folder, whose path must be absolute and without links.
po_watch *po_watch_folder(const char *folder);
/// Ends the watch. Open connections continue without it.
void po_watch_end(po_watch *watch);

/// Makes the n-th of these calls from now on fail, counted from 1, and all later calls if `sticky` is true.
void po_arm(po_watch *watch, uint32_t calls, long n, po_fault fault, bool sticky);
/// Ends the faults.
void po_disarm(po_watch *watch);
/// The number of these calls since `po_arm`.
long po_count(po_watch *watch);
/// The number of injected faults since `po_arm`.
long po_hits(po_watch *watch);

/// Called before each call is made. `name` is the file's name. `length` is the new length for `PO_TRUNCATE`, and 1 for
/// `PO_OPEN` if the file may be created.
typedef void (*po_observer)(
    void *context, po_call call, const char *name, int64_t offset, const void *bytes, int64_t length);
/// Sets the observer; NULL removes it.
void po_observe(po_watch *watch, po_observer observer, void *context);

/// Calls `fork`, which Swift cannot call; returns 0 in the new process.
int po_fork(void);
