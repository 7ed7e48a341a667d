#include "file.h"
#include <pthread.h>
#include <string.h>

// The VFS: SQLite's calls for files, and how a connection is opened.

static const char vfs_name[] = "po-sealed";

static _Thread_local bool is_entered;
static _Thread_local const po_sealed_keys *entered;

static sqlite3_vfs *real_vfs(void) { return sqlite3_vfs_find(NULL); }

static int file_read(sqlite3_file *base, void *bytes, int count, sqlite3_int64 offset) {
    file *f = FILE_OF(base);
    switch (f->kind) {
    case DATABASE: return po_database_read(f, bytes, count, offset);
    case LOG: return po_log_read(f, bytes, count, offset);
    case JOURNAL: return po_journal_read(f, bytes, count, offset);
    case TEMPORARY: return po_temporary_read(f->temporary, f->real, bytes, count, offset);
    case PASSED: break;
    }
    return CALL(f, xRead, bytes, count, offset);
}

static int file_write(sqlite3_file *base, const void *bytes, int count, sqlite3_int64 offset) {
    file *f = FILE_OF(base);
    switch (f->kind) {
    case DATABASE: return po_database_write(f, bytes, count, offset);
    case LOG: return po_log_write(f, bytes, count, offset);
    case JOURNAL: return po_journal_write(f, bytes, count, offset);
    case TEMPORARY: return po_temporary_write(f->temporary, f->real, bytes, count, offset);
    case PASSED: break;
    }
    return CALL(f, xWrite, bytes, count, offset);
}

static void end(file *f) {
    if (f->kind == DATABASE) po_pages_free(f->pages);
    if (f->kind == TEMPORARY) po_temporary_free(f->temporary);
    sqlite3_free(f->real);
}

static int file_close(sqlite3_file *f) {
    int failure = po_log_flush(FILE_OF(f)), code = CALL(f, xClose);
    end(FILE_OF(f));
    return code ? code : failure;
}
static int file_truncate(sqlite3_file *f, sqlite3_int64 size) {
    if (FILE_OF(f)->kind == TEMPORARY) return po_temporary_truncate(FILE_OF(f)->temporary, REAL(f), size);
    int code = po_log_flush(FILE_OF(f));
    return code ? code : CALL(f, xTruncate, size);
}
static int file_size(sqlite3_file *f, sqlite3_int64 *size) {
    if (FILE_OF(f)->kind != TEMPORARY) {
        int code = po_log_flush(FILE_OF(f));
        return code ? code : CALL(f, xFileSize, size);
    }
    *size = po_temporary_size(FILE_OF(f)->temporary);
    return SQLITE_OK;
}
static int file_control(sqlite3_file *f, int code, void *argument) {
    if (code == SQLITE_FCNTL_CKPT_START || code == SQLITE_FCNTL_CKPT_DONE) {
        FILE_OF(f)->is_copying = code == SQLITE_FCNTL_CKPT_START && FILE_OF(f)->kind == DATABASE;
        FILE_OF(f)->copied = NULL;
    }
    return CALL(f, xFileControl, code, argument);
}
static int file_characteristics(sqlite3_file *f) {
    // Parts of pages cannot be read (SQLITE_IOCAP_SUBPAGE_READ), and atomic batches would bypass the journal.
    return CALL(f, xDeviceCharacteristics) & ~(0x8000 | 0x4000);
}
static int file_sync(sqlite3_file *f, int flags) {
    int code = po_log_flush(FILE_OF(f));
    return code ? code : CALL(f, xSync, flags);
}
static int file_lock(sqlite3_file *f, int level) { return CALL(f, xLock, level); }
static int file_unlock(sqlite3_file *f, int level) { return CALL(f, xUnlock, level); }
static int file_check_lock(sqlite3_file *f, int *is_reserved) { return CALL(f, xCheckReservedLock, is_reserved); }
static int file_sector_size(sqlite3_file *f) { return CALL(f, xSectorSize); }
static int file_shm_map(sqlite3_file *f, int page, int size, int extend, void volatile **memory) {
    return CALL(f, xShmMap, page, size, extend, memory);
}
static int file_shm_lock(sqlite3_file *f, int offset, int count, int flags) {
    return CALL(f, xShmLock, offset, count, flags);
}
static void file_shm_barrier(sqlite3_file *f) { CALL(f, xShmBarrier); }
static int file_shm_unmap(sqlite3_file *f, int is_deleted) { return CALL(f, xShmUnmap, is_deleted); }

// The version without xFetch, because pages that are mapped into memory would be encrypted.
static const sqlite3_io_methods methods = {
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

/// Decides how a file is encrypted, before it is opened.
static int classify(file *f, const char *name, int flags) {
    f->kind = PASSED;
    if (flags & SQLITE_OPEN_MAIN_DB) {
        // A database that is attached by other code has no keys.
        if (!is_entered) return SQLITE_CANTOPEN;
        if (!entered) return SQLITE_OK;
        f->pages = po_pages_create(entered);
        if (!f->pages) return SQLITE_NOMEM;
        f->kind = DATABASE;
    } else if (flags & (SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL)) {
        f->database = FILE_OF(sqlite3_database_file_object(name));
        if (f->database->kind != DATABASE) return SQLITE_OK;
        f->pages = f->database->pages;
        f->kind = flags & SQLITE_OPEN_WAL ? LOG : JOURNAL;
    } else if (!(flags & SQLITE_OPEN_SUPER_JOURNAL)) {
        f->temporary = po_temporary_create();
        if (!f->temporary) return SQLITE_NOMEM;
        f->kind = TEMPORARY;
    }
    return SQLITE_OK;
}

static int vfs_open(sqlite3_vfs *self, const char *name, sqlite3_file *base, int flags, int *out_flags) {
    (void)self;
    file *f = FILE_OF(base);
    sqlite3_vfs *vfs = real_vfs();
    memset(f, 0, sizeof *f);
    f->number_at = f->checksum_at = f->page_end = -1;
    int code = classify(f, name, flags);
    if (code) return code;
    f->real = sqlite3_malloc(vfs->szOsFile);
    if (f->real) {
        memset(f->real, 0, vfs->szOsFile);
        code = vfs->xOpen(vfs, name, f->real, flags, out_flags);
        if (!code) {
            base->pMethods = &methods;
            return SQLITE_OK;
        }
        if (f->real->pMethods) CALL(f, xClose);
    }
    end(f);
    return code ? code : SQLITE_NOMEM;
}
static int vfs_delete(sqlite3_vfs *self, const char *name, int is_dir_synced) {
    (void)self;
    return real_vfs()->xDelete(real_vfs(), name, is_dir_synced);
}
static int vfs_access(sqlite3_vfs *self, const char *name, int flags, int *result) {
    (void)self;
    return real_vfs()->xAccess(real_vfs(), name, flags, result);
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int registration;
static const po_sealed_cipher *registered;
static void count_fork(void) { po_forks++; }

static void install(void) {
    static sqlite3_vfs vfs;
    po_cipher = *registered;
    pthread_atfork(NULL, NULL, count_fork);
    vfs = *real_vfs();
    vfs.zName = vfs_name;
    vfs.szOsFile = sizeof(file);
    vfs.pNext = NULL;
    vfs.xOpen = vfs_open;
    vfs.xDelete = vfs_delete;
    vfs.xAccess = vfs_access;
    registration = sqlite3_vfs_register(&vfs, 0);
}

int po_sealed_register(const po_sealed_cipher *cipher) {
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&mutex);
    registered = cipher;
    pthread_once(&once, install);
    pthread_mutex_unlock(&mutex);
    return registration;
}

void po_sealed_enter(const po_sealed_keys *keys) {
    is_entered = true;
    entered = keys;
}
void po_sealed_leave(void) {
    is_entered = false;
    entered = NULL;
}

void po_sealed_reserve(sqlite3 *connection) {
    int count = RESERVED;
    sqlite3_file_control(connection, "main", SQLITE_FCNTL_RESERVE_BYTES, &count);
}

int po_sealed_open(const char *name, sqlite3 **connection, int flags, const po_sealed_keys *keys) {
    po_sealed_enter(keys);
    int code = sqlite3_open_v2(name, connection, flags, vfs_name);
    po_sealed_leave();
    if (!code && keys) po_sealed_reserve(*connection);
    return code;
}

file *po_database_of(sqlite3 *connection) {
    sqlite3_file *f = NULL;
    if (sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &f) || !f) return NULL;
    return f->pMethods == &methods && FILE_OF(f)->kind == DATABASE ? FILE_OF(f) : NULL;
}

int po_sealed_open_like(sqlite3 *other, const char *name, sqlite3 **connection, int flags) {
    file *f = other ? po_database_of(other) : NULL;
    return f ? po_sealed_open(name, connection, flags, &f->pages->keys)
             : sqlite3_open_v2(name, connection, flags, NULL);
}

bool po_sealed_is_encrypted(sqlite3 *connection) { return po_database_of(connection) != NULL; }
