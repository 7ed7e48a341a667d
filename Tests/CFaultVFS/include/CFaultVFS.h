#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// What goes wrong with the files in a folder, and what is done to them, of all connections of this process that were
/// opened since `po_watch`. Other folders are left alone, so that tests run beside each other.
typedef struct po_watch po_watch;

/// Calls of SQLite's to the system, as bits.
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
    /// What changes the file.
    PO_CHANGES = PO_WRITE | PO_SYNC | PO_TRUNCATE | PO_DELETE,
} po_call;

typedef enum {
    /// The call is not made, and gives the error that SQLite's own file system gives.
    PO_FAIL,
    /// As `PO_FAIL`, but there is no space left; calls that need none are made.
    PO_FULL,
    /// Half of a write is made, then it fails.
    PO_SHORT,
    /// The process is killed, and the call is not made.
    PO_KILL,
    /// Half of a write is made, then the process is killed.
    PO_TEAR,
    /// A read is made, and gives zeros without an error: a disk that was wrong once. Other calls are made.
    PO_GARBLE,
} po_fault;

/// Begins to watch a folder, whose path is absolute and without links.
po_watch *po_watch_folder(const char *folder);
/// Ends it; connections that are open go on without.
void po_watch_end(po_watch *watch);

/// The n-th of these calls from now on, and if `sticky` all that follow, go wrong. The first is 1.
void po_arm(po_watch *watch, uint32_t calls, long n, po_fault fault, bool sticky);
/// From now on all goes well.
void po_disarm(po_watch *watch);
/// How many of the calls have been made since `po_arm`.
long po_count(po_watch *watch);
/// How many of them have gone wrong.
long po_hits(po_watch *watch);

/// Told of each call before it is made. `name` is the file's; `length` is the new length for `PO_TRUNCATE`, and 1 for
/// `PO_OPEN` where the file may be created.
typedef void (*po_observer)(
    void *context, po_call call, const char *name, int64_t offset, const void *bytes, int64_t length);
/// There is one observer; NULL ends it.
void po_observe(po_watch *watch, po_observer observer, void *context);

/// A copy of this process with this thread alone, as `fork` makes it: 0 in the copy.
int po_fork(void);
