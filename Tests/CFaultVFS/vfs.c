#include "CFaultVFS.h"
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// A file system between SQLite and its own (https://sqlite.org/vfs.html, "VFS shims"). It injects failures above the
// operating system, so SQLite cannot distinguish them from failures of a disk.

struct po_watch {
    char *folder;
    pthread_mutex_t mutex;
    uint32_t calls;
    long at, count, hits;
    po_fault fault;
    bool sticky;
    po_observer observer;
    void *context;
    struct po_watch *next;
};

typedef struct {
    sqlite3_file base;
    sqlite3_file *real;
    // SQLite keeps the string until the file is closed.
    const char *name;
} file_t;

static sqlite3_vfs vfs;
static sqlite3_vfs *original;
static sqlite3_io_methods methods;
static po_watch *watches;
static pthread_mutex_t watches_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;

typedef enum { PROCEED, REFUSE, REFUSE_FULL, HALF, HALF_AND_KILL, ZEROS } verdict;

__attribute__((noreturn)) static void die(void) {
    kill(getpid(), SIGKILL);
    for (;;) pause();
}

static verdict judge(po_watch *watch, po_call call, const char *name, int64_t offset, const void *bytes, int64_t length) {
    pthread_mutex_lock(&watch->mutex);
    bool counts = watch->calls & call;
    if (counts) watch->count++;
    bool isHit = counts && (watch->sticky ? watch->count >= watch->at : watch->count == watch->at);
    // Deleting, truncating and reading still work on a full disk.
    if (isHit && watch->fault == PO_FULL && !(call & (PO_WRITE | PO_SYNC | PO_OPEN | PO_SHARED_MEMORY))) isHit = false;
    if (isHit && watch->fault == PO_GARBLE && call != PO_READ) isHit = false;
    if (isHit) watch->hits++;
    po_fault fault = watch->fault;
    if (watch->observer && (!isHit || fault >= PO_SHORT))
        watch->observer(watch->context, call, name, offset, bytes, length);
    pthread_mutex_unlock(&watch->mutex);
    if (!isHit) return PROCEED;
    bool hasHalf = call == PO_WRITE && length > 1;
    switch (fault) {
    case PO_FAIL: return REFUSE;
    case PO_FULL: return REFUSE_FULL;
    case PO_SHORT: return hasHalf ? HALF : REFUSE;
    case PO_TEAR:
        if (hasHalf) return HALF_AND_KILL;
        die();
    case PO_KILL: die();
    case PO_GARBLE: return ZEROS;
    }
    return PROCEED;
}

// The watch of a file is looked up at each call, because watches start and end while files stay open.
static verdict ask(po_call call, const char *name, int64_t offset, const void *bytes, int64_t length) {
    if (!name) return PROCEED;
    verdict result = PROCEED;
    pthread_mutex_lock(&watches_mutex);
    for (po_watch *watch = watches; watch; watch = watch->next)
        if (strncmp(name, watch->folder, strlen(watch->folder)) == 0) {
            result = judge(watch, call, name, offset, bytes, length);
            break;
        }
    pthread_mutex_unlock(&watches_mutex);
    return result;
}

static int failed(verdict verdict, int code) {
    errno = verdict == REFUSE_FULL ? ENOSPC : EIO;
    return verdict == REFUSE_FULL ? SQLITE_FULL : code;
}

#define FILE_OF(f) ((file_t *)(f))
#define REAL(f) (FILE_OF(f)->real)
#define ASK(f, call, offset, bytes, length, code)                                                                      \
    do {                                                                                                               \
        verdict v = ask(call, FILE_OF(f)->name, offset, bytes, length);                                                \
        if (v != PROCEED) return failed(v, code);                                                                      \
    } while (0)

static int file_close(sqlite3_file *f) {
    // On Linux, a close that fails still closes the file.
    verdict v = ask(PO_CLOSE, FILE_OF(f)->name, 0, NULL, 0);
    int code = REAL(f)->pMethods ? REAL(f)->pMethods->xClose(REAL(f)) : SQLITE_OK;
    return v == PROCEED ? code : failed(v, SQLITE_IOERR_CLOSE);
}
static int file_read(sqlite3_file *f, void *bytes, int count, sqlite3_int64 offset) {
    verdict v = ask(PO_READ, FILE_OF(f)->name, offset, NULL, count);
    if (v != PROCEED && v != ZEROS) return failed(v, SQLITE_IOERR_READ);
    int code = REAL(f)->pMethods->xRead(REAL(f), bytes, count, offset);
    if (v == ZEROS) memset(bytes, 0, count);
    return code;
}
static int file_write(sqlite3_file *f, const void *bytes, int count, sqlite3_int64 offset) {
    verdict v = ask(PO_WRITE, FILE_OF(f)->name, offset, bytes, count);
    if (v == HALF || v == HALF_AND_KILL) {
        REAL(f)->pMethods->xWrite(REAL(f), bytes, count / 2, offset);
        if (v == HALF_AND_KILL) die();
    }
    if (v != PROCEED) return failed(v, SQLITE_IOERR_WRITE);
    return REAL(f)->pMethods->xWrite(REAL(f), bytes, count, offset);
}
static int file_truncate(sqlite3_file *f, sqlite3_int64 size) {
    ASK(f, PO_TRUNCATE, 0, NULL, size, SQLITE_IOERR_TRUNCATE);
    return REAL(f)->pMethods->xTruncate(REAL(f), size);
}
static int file_sync(sqlite3_file *f, int flags) {
    ASK(f, PO_SYNC, 0, NULL, flags, SQLITE_IOERR_FSYNC);
    return REAL(f)->pMethods->xSync(REAL(f), flags);
}
static int file_size(sqlite3_file *f, sqlite3_int64 *size) {
    ASK(f, PO_SIZE, 0, NULL, 0, SQLITE_IOERR_FSTAT);
    return REAL(f)->pMethods->xFileSize(REAL(f), size);
}
static int file_lock(sqlite3_file *f, int level) {
    ASK(f, PO_LOCK, 0, NULL, level, SQLITE_IOERR_LOCK);
    return REAL(f)->pMethods->xLock(REAL(f), level);
}
static int file_unlock(sqlite3_file *f, int level) { return REAL(f)->pMethods->xUnlock(REAL(f), level); }
static int file_check_lock(sqlite3_file *f, int *isReserved) {
    ASK(f, PO_LOCK, 0, NULL, 0, SQLITE_IOERR_CHECKRESERVEDLOCK);
    return REAL(f)->pMethods->xCheckReservedLock(REAL(f), isReserved);
}
static int file_control(sqlite3_file *f, int code, void *argument) {
    return REAL(f)->pMethods->xFileControl(REAL(f), code, argument);
}
static int file_sector_size(sqlite3_file *f) { return REAL(f)->pMethods->xSectorSize(REAL(f)); }
static int file_characteristics(sqlite3_file *f) { return REAL(f)->pMethods->xDeviceCharacteristics(REAL(f)); }
static int file_shm_map(sqlite3_file *f, int page, int size, int extend, void volatile **memory) {
    ASK(f, PO_SHARED_MEMORY, page, NULL, extend, SQLITE_IOERR_SHMMAP);
    return REAL(f)->pMethods->xShmMap(REAL(f), page, size, extend, memory);
}
static int file_shm_lock(sqlite3_file *f, int offset, int count, int flags) {
    // Releasing a lock never fails.
    if (flags & SQLITE_SHM_LOCK) ASK(f, PO_LOCK, offset, NULL, count, SQLITE_IOERR_SHMLOCK);
    return REAL(f)->pMethods->xShmLock(REAL(f), offset, count, flags);
}
static void file_shm_barrier(sqlite3_file *f) { REAL(f)->pMethods->xShmBarrier(REAL(f)); }
static int file_shm_unmap(sqlite3_file *f, int isDeleted) { return REAL(f)->pMethods->xShmUnmap(REAL(f), isDeleted); }

static int vfs_open(sqlite3_vfs *self, const char *name, sqlite3_file *f, int flags, int *outFlags) {
    (void)self;
    file_t *file = FILE_OF(f);
    file->base.pMethods = NULL;
    file->name = name;
    file->real = (sqlite3_file *)(file + 1);
    memset(file->real, 0, original->szOsFile);
    verdict v = ask(PO_OPEN, name, 0, NULL, (flags & SQLITE_OPEN_CREATE) != 0);
    if (v != PROCEED) return failed(v, SQLITE_CANTOPEN);
    int code = original->xOpen(original, name, file->real, flags, outFlags);
    if (file->real->pMethods) file->base.pMethods = &methods;
    return code;
}
static int vfs_delete(sqlite3_vfs *self, const char *name, int isDirSynced) {
    (void)self;
    verdict v = ask(PO_DELETE, name, 0, NULL, isDirSynced);
    return v == PROCEED ? original->xDelete(original, name, isDirSynced) : failed(v, SQLITE_IOERR_DELETE);
}
static int vfs_access(sqlite3_vfs *self, const char *name, int flags, int *result) {
    (void)self;
    verdict v = ask(PO_ACCESS, name, 0, NULL, flags);
    return v == PROCEED ? original->xAccess(original, name, flags, result) : failed(v, SQLITE_IOERR_ACCESS);
}

// A forked process must not inherit a mutex that another thread holds.
static void lock_watches(void) { pthread_mutex_lock(&watches_mutex); }
static void unlock_watches(void) { pthread_mutex_unlock(&watches_mutex); }

static void install(void) {
    pthread_atfork(lock_watches, unlock_watches, unlock_watches);
    original = sqlite3_vfs_find(NULL);
    vfs = *original;
    vfs.zName = "po-fault";
    vfs.szOsFile = (int)sizeof(file_t) + original->szOsFile;
    vfs.xOpen = vfs_open;
    vfs.xDelete = vfs_delete;
    vfs.xAccess = vfs_access;
    methods = (sqlite3_io_methods){
        // xFetch and xUnfetch are missing, because the library maps no files.
        .iVersion = 2,
        .xClose = file_close,
        .xRead = file_read,
        .xWrite = file_write,
        .xTruncate = file_truncate,
        .xSync = file_sync,
        .xFileSize = file_size,
        .xLock = file_lock,
        .xUnlock = file_unlock,
        .xCheckReservedLock = file_check_lock,
        .xFileControl = file_control,
        .xSectorSize = file_sector_size,
        .xDeviceCharacteristics = file_characteristics,
        .xShmMap = file_shm_map,
        .xShmLock = file_shm_lock,
        .xShmBarrier = file_shm_barrier,
        .xShmUnmap = file_shm_unmap,
    };
    sqlite3_vfs_register(&vfs, 1);
}

po_watch *po_watch_folder(const char *folder) {
    pthread_once(&once, install);
    po_watch *watch = calloc(1, sizeof(po_watch));
    watch->folder = strdup(folder);
    pthread_mutex_init(&watch->mutex, NULL);
    pthread_mutex_lock(&watches_mutex);
    watch->next = watches;
    watches = watch;
    pthread_mutex_unlock(&watches_mutex);
    return watch;
}

void po_watch_end(po_watch *watch) {
    pthread_mutex_lock(&watches_mutex);
    for (po_watch **place = &watches; *place; place = &(*place)->next)
        if (*place == watch) {
            *place = watch->next;
            break;
        }
    pthread_mutex_unlock(&watches_mutex);
    pthread_mutex_destroy(&watch->mutex);
    free(watch->folder);
    free(watch);
}

void po_arm(po_watch *watch, uint32_t calls, long n, po_fault fault, bool sticky) {
    pthread_mutex_lock(&watch->mutex);
    watch->calls = calls;
    watch->at = n;
    watch->count = watch->hits = 0;
    watch->fault = fault;
    watch->sticky = sticky;
    pthread_mutex_unlock(&watch->mutex);
}

void po_disarm(po_watch *watch) {
    pthread_mutex_lock(&watch->mutex);
    watch->at = 0;
    watch->sticky = false;
    watch->calls = 0;
    pthread_mutex_unlock(&watch->mutex);
}

static long value_of(po_watch *watch, long *value) {
    pthread_mutex_lock(&watch->mutex);
    long result = *value;
    pthread_mutex_unlock(&watch->mutex);
    return result;
}
long po_count(po_watch *watch) { return value_of(watch, &watch->count); }
long po_hits(po_watch *watch) { return value_of(watch, &watch->hits); }

void po_observe(po_watch *watch, po_observer observer, void *context) {
    pthread_mutex_lock(&watch->mutex);
    watch->observer = observer;
    watch->context = context;
    pthread_mutex_unlock(&watch->mutex);
}

int po_fork(void) { return fork(); }
