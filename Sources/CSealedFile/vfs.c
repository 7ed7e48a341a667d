#include "sealed.h"
#include <pthread.h>
#include <string.h>

// The VFS: SQLite's calls for the files of a database. The real files belong to the default VFS of the process at the
// time of the call. A checkpoint copies encrypted pages unchanged from the log to the database. In a rollback journal,
// the checksums fit the encrypted pages, so a plain SQLite that finds the journal also restores the right pages.

typedef enum { PASSED, DATABASE, LOG, JOURNAL, TEMPORARY } kind;

typedef struct file {
    sqlite3_file base;
    sqlite3_file *real;
    kind kind;
    /// The encryption, which belongs to the database's file.
    pages *pages;
    /// The database's file, for its log and its journal.
    struct file *database;
    temporary *temporary;
    /// Log: the page number and the place of the last frame header. Journal: of the last page number.
    uint32_t number;
    int64_t number_at;
    /// Log: the end of the last page that was written, if nothing was read or written since then; -1 otherwise.
    int64_t page_end;
    /// Log: the last frame header, if it is to be written together with its page.
    bool has_frame;
    uint8_t frame[FRAME_HEADER];
    /// Journal: the place of the last page's checksum, and its difference from the checksum of the plain page.
    int64_t checksum_at;
    uint32_t checksum_difference;
    /// Database: whether SQLite has read the header of a page that could not be decrypted.
    bool is_unverified;
    /// Database: whether a checkpoint runs, and the encrypted page that it has read from the log.
    bool is_copying;
    const void *copied;
    int copied_size;
} file;

#define FILE_OF(f) ((file *)(f))
#define REAL(f) (FILE_OF(f)->real)
#define CALL(f, method, ...) (REAL(f)->pMethods->method(REAL(f), ##__VA_ARGS__))

enum { LOG_HEADER = 32, LOG_VERSION = 3007000, SEALED_LOG_VERSION = 0x504f0001, PARTIAL = 512 };

static const char magic[16] = "SQLite format 3";
static const char vfs_name[] = "po-sealed";

static _Thread_local bool is_entered;
static _Thread_local const po_sealed_keys *entered;

static sqlite3_vfs *real_vfs(void) { return sqlite3_vfs_find(NULL); }

bool po_sealed_is_header(const uint8_t *bytes, int count) {
    return count >= CLEAR && memcmp(bytes, magic, sizeof magic) == 0
        && (bytes[VERSIONS] == SEALED_VERSION + 1 || bytes[VERSIONS] == SEALED_VERSION + 2)
        && (bytes[VERSIONS + 1] == SEALED_VERSION + 1 || bytes[VERSIONS + 1] == SEALED_VERSION + 2);
}

static int stored_page_size(const uint8_t *header) {
    int size = header[16] << 8 | header[17];
    return size == 1 ? 65536 : size;
}

// ---- Pages of the database --------------------------------------------------------------------------------------

/// Reads a part of page 1, or page 1 with another size than SQLite expects.
static int read_first(file *f, uint8_t *bytes, int count, int64_t offset) {
    uint8_t header[CLEAR];
    int code = CALL(f, xRead, header, CLEAR, 0);
    if (code && code != SQLITE_IOERR_SHORT_READ) return code;
    int size = stored_page_size(header);
    // A plain or damaged file is recognized by `po_sealed_inspect`.
    if (code || !po_sealed_is_header(header, CLEAR) || !is_page_size(size))
        return count < PARTIAL ? CALL(f, xRead, bytes, count, offset) : code ? code : PO_SEALED_DAMAGED;
    uint8_t *page = po_pages_buffer(f->pages, size);
    if (!page) return SQLITE_IOERR_NOMEM;
    code = CALL(f, xRead, page, size, 0);
    if (!code) code = po_pages_open(f->pages, page, size, 1);
    else if (code == SQLITE_IOERR_SHORT_READ) code = PO_SEALED_DAMAGED;
    if (code) {
        // A power failure can tear page 1; SQLite then restores it from the log or the journal. Until then the
        // unencrypted bytes are enough.
        if (count >= PARTIAL) return code;
        if (offset == 0) f->is_unverified = true;
        memcpy(page, header, CLEAR);
        page[VERSIONS] -= SEALED_VERSION;
        page[VERSIONS + 1] -= SEALED_VERSION;
        memset(page + CLEAR, 0, size - CLEAR);
    }
    int available = offset < size ? size - (int)offset : 0, part = available < count ? available : count;
    memcpy(bytes, page + offset, part);
    memset(bytes + part, 0, count - part);
    return SQLITE_OK;
}

/// Whether a page could not be decrypted. It is then read again, because a disk can return wrong bytes once.
static bool is_undecryptable(int code) { return code == PO_SEALED_DAMAGED || code == PO_SEALED_WRONG_KEY; }

static int read_database(file *f, uint8_t *bytes, int count, int64_t offset) {
    if (!is_page_size(count) || offset % count != 0) return read_first(f, bytes, count, offset);
    int code = CALL(f, xRead, bytes, count, offset);
    if (code == SQLITE_IOERR_SHORT_READ) {
        sqlite3_int64 size = 0;
        if (CALL(f, xFileSize, &size)) return SQLITE_IOERR_READ;
        if (offset >= size) return code;
        return offset == 0 ? read_first(f, bytes, count, 0) : PO_SEALED_DAMAGED;
    }
    if (code) return code;
    if (offset == 0 && stored_page_size(bytes) != count) return read_first(f, bytes, count, 0);
    uint32_t number = (uint32_t)(offset / count) + 1;
    code = po_pages_open(f->pages, bytes, count, number);
    if (!is_undecryptable(code)) return code;
    code = CALL(f, xRead, bytes, count, offset);
    return code ? code : po_pages_open(f->pages, bytes, count, number);
}

static int write_database(file *f, const uint8_t *bytes, int count, int64_t offset) {
    if (!is_page_size(count) || offset % count != 0) return SQLITE_IOERR_WRITE;
    if (f->is_copying) {
        // Only the page that was just read from the log is written as it is.
        bool is_sealed = f->copied == bytes && f->copied_size == count && f->pages->has_id
            && memcmp(bytes + count - FILE_ID, f->pages->id, FILE_ID) == 0;
        f->copied = NULL;
        return is_sealed ? CALL(f, xWrite, bytes, count, offset) : SQLITE_IOERR_WRITE;
    }
    int code = po_pages_seal(f->pages, bytes, count, (uint32_t)(offset / count) + 1);
    return code ? code : CALL(f, xWrite, f->pages->buffer, count, offset);
}

// ---- The log (https://sqlite.org/walformat.html) ----------------------------------------------------------------

static void checksum_log_header(const uint8_t *header, uint8_t *checksum) {
    uint32_t one = 0, two = 0;
    bool is_big = header[3] & 1;
    for (int i = 0; i < 24; i += 8) {
        uint32_t words[2];
        for (int j = 0; j < 2; j++) {
            const uint8_t *b = header + i + 4 * j;
            words[j] = is_big ? get32(b) : (uint32_t)b[3] << 24 | (uint32_t)b[2] << 16 | (uint32_t)b[1] << 8 | b[0];
        }
        one += words[0] + two;
        two += words[1] + one;
    }
    put32(checksum, one);
    put32(checksum + 4, two);
}

/// Changes the version in a log's header. A plain SQLite would take a log that it cannot read for an empty one, and
/// delete it; a log of an unknown version it leaves alone.
static void change_version(uint8_t *header, uint32_t from, uint32_t to) {
    uint8_t checksum[8];
    checksum_log_header(header, checksum);
    if (get32(header + 4) != from || memcmp(checksum, header + 24, 8) != 0) return;
    put32(header + 4, to);
    checksum_log_header(header, header + 24);
}

/// Reads the header or a part of it. SQLite reads only its checksum when a transaction that wrote the first frame has
/// changed a page again, and goes on from there.
static int read_log_header(file *f, uint8_t *bytes, int count, int64_t offset) {
    uint8_t header[LOG_HEADER];
    int code = CALL(f, xRead, header, LOG_HEADER, 0); // fills the rest with zeros if the file is shorter
    change_version(header, SEALED_LOG_VERSION, LOG_VERSION);
    memcpy(bytes, header + offset, count);
    return code;
}

/// Writes a frame header that waits for its page. SQLite writes the page immediately after the header, so no other call
/// finds one.
static int write_frame(file *f) {
    if (!f->has_frame) return SQLITE_OK;
    f->has_frame = false;
    return CALL(f, xWrite, f->frame, FRAME_HEADER, f->number_at);
}

static int read_log(file *f, uint8_t *bytes, int count, int64_t offset) {
    if (write_frame(f)) return SQLITE_IOERR_READ;
    f->page_end = -1;
    if (offset + count <= LOG_HEADER) return read_log_header(f, bytes, count, offset);
    int code = CALL(f, xRead, bytes, count, offset);
    if (code) return code;
    if (is_page_size(count)) {
        if (f->database->is_copying) {
            f->database->copied = bytes;
            f->database->copied_size = count;
            return SQLITE_OK;
        }
        for (bool is_again = false;; is_again = true) {
            uint8_t number[4];
            code = CALL(f, xRead, number, 4, offset - FRAME_HEADER);
            if (!code) code = po_pages_open(f->pages, bytes, count, get32(number));
            if (is_again || !is_undecryptable(code)) return code;
            code = CALL(f, xRead, bytes, count, offset);
            if (code) return code;
        }
    } else if (is_page_size(count - FRAME_HEADER)) {
        uint8_t *page = bytes + FRAME_HEADER;
        code = po_pages_open(f->pages, page, count - FRAME_HEADER, get32(bytes));
        if (code == PO_SEALED_WRONG_KEY && !f->pages->has_id) return code;
        // A frame that was written only in part: its checksum does not fit zeros.
        if (code) memset(page, 0, count - FRAME_HEADER);
    }
    return SQLITE_OK;
}

static int write_log(file *f, const uint8_t *bytes, int count, int64_t offset) {
    if (f->has_frame && (!is_page_size(count) || offset != f->number_at + FRAME_HEADER)) {
        int code = write_frame(f);
        if (code) return code;
    }
    if (offset == 0 && count == LOG_HEADER) {
        uint8_t header[LOG_HEADER];
        memcpy(header, bytes, LOG_HEADER);
        change_version(header, LOG_VERSION, SEALED_LOG_VERSION);
        return CALL(f, xWrite, header, count, offset);
    }
    if (count == FRAME_HEADER) {
        // SQLite appends the header of a frame and its page with two calls, which become one call of the system. Before
        // it changes only headers, which readers of the log may need at once, it reads the frames.
        f->has_frame = offset == f->page_end;
        f->page_end = -1;
        f->number = get32(bytes);
        f->number_at = offset;
        if (!f->has_frame) return CALL(f, xWrite, bytes, count, offset);
        memcpy(f->frame, bytes, FRAME_HEADER);
        return SQLITE_OK;
    }
    if (!is_page_size(count)) return SQLITE_IOERR_WRITE;
    // A page that changes again in the same transaction is written without its header.
    if (f->number_at != offset - FRAME_HEADER) {
        uint8_t number[4];
        int code = CALL(f, xRead, number, 4, offset - FRAME_HEADER);
        if (code) return SQLITE_IOERR_WRITE;
        f->number = get32(number);
        f->number_at = offset - FRAME_HEADER;
    }
    int front = f->has_frame ? FRAME_HEADER : 0;
    f->has_frame = false;
    int code = po_pages_seal(f->pages, bytes, count, f->number);
    if (code) return code;
    memcpy(f->pages->buffer - front, f->frame, front);
    code = CALL(f, xWrite, f->pages->buffer - front, front + count, offset - front);
    f->page_end = code ? -1 : offset + count;
    return code;
}

// ---- The rollback journal (https://sqlite.org/fileformat2.html#the_rollback_journal) ----------------------------

/// The part of the checksum that depends on the page.
static uint32_t sum(const uint8_t *page, int size) {
    uint32_t sum = 0;
    for (int i = size - 200; i > 0; i -= 200) sum += page[i];
    return sum;
}

static int read_journal(file *f, uint8_t *bytes, int count, int64_t offset) {
    int code = CALL(f, xRead, bytes, count, offset);
    if (code) return code;
    if (count == 4 && offset == f->checksum_at) {
        put32(bytes, get32(bytes) - f->checksum_difference);
    } else if (is_page_size(count) && offset >= 4) {
        uint8_t number[4];
        code = CALL(f, xRead, number, 4, offset - 4);
        if (code) return code;
        if (get32(number) == 0) return SQLITE_OK;
        uint32_t sealed = sum(bytes, count);
        code = po_pages_open(f->pages, bytes, count, get32(number));
        f->checksum_at = offset + count;
        f->checksum_difference = sealed - sum(bytes, count);
        return code;
    }
    return SQLITE_OK;
}

static int write_journal(file *f, const uint8_t *bytes, int count, int64_t offset) {
    if (count == 4) {
        f->number = get32(bytes);
        f->number_at = offset;
        if (offset != f->checksum_at) return CALL(f, xWrite, bytes, count, offset);
        uint8_t checksum[4];
        put32(checksum, f->number + f->checksum_difference);
        f->number_at = -1;
        return CALL(f, xWrite, checksum, count, offset);
    }
    if (!is_page_size(count) || f->number_at != offset - 4) return CALL(f, xWrite, bytes, count, offset);
    int code = po_pages_seal(f->pages, bytes, count, f->number);
    if (code) return code;
    f->checksum_at = offset + count;
    f->checksum_difference = sum(f->pages->buffer, count) - sum(bytes, count);
    return CALL(f, xWrite, f->pages->buffer, count, offset);
}

// ---- SQLite's calls ---------------------------------------------------------------------------------------------

static int file_read(sqlite3_file *base, void *bytes, int count, sqlite3_int64 offset) {
    file *f = FILE_OF(base);
    switch (f->kind) {
    case DATABASE: return read_database(f, bytes, count, offset);
    case LOG: return read_log(f, bytes, count, offset);
    case JOURNAL: return read_journal(f, bytes, count, offset);
    case TEMPORARY: return po_temporary_read(f->temporary, f->real, bytes, count, offset);
    case PASSED: break;
    }
    return CALL(f, xRead, bytes, count, offset);
}

static int file_write(sqlite3_file *base, const void *bytes, int count, sqlite3_int64 offset) {
    file *f = FILE_OF(base);
    switch (f->kind) {
    case DATABASE: return write_database(f, bytes, count, offset);
    case LOG: return write_log(f, bytes, count, offset);
    case JOURNAL: return write_journal(f, bytes, count, offset);
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
    int failure = write_frame(FILE_OF(f)), code = CALL(f, xClose);
    end(FILE_OF(f));
    return code ? code : failure;
}
static int file_truncate(sqlite3_file *f, sqlite3_int64 size) {
    if (FILE_OF(f)->kind == TEMPORARY) return po_temporary_truncate(FILE_OF(f)->temporary, REAL(f), size);
    int code = write_frame(FILE_OF(f));
    return code ? code : CALL(f, xTruncate, size);
}
static int file_size(sqlite3_file *f, sqlite3_int64 *size) {
    if (FILE_OF(f)->kind != TEMPORARY) {
        int code = write_frame(FILE_OF(f));
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
    int code = write_frame(FILE_OF(f));
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

static file *database_of(sqlite3 *connection) {
    sqlite3_file *f = NULL;
    if (sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &f) || !f) return NULL;
    return f->pMethods == &methods && FILE_OF(f)->kind == DATABASE ? FILE_OF(f) : NULL;
}

int po_sealed_open_like(sqlite3 *other, const char *name, sqlite3 **connection, int flags) {
    file *f = other ? database_of(other) : NULL;
    return f ? po_sealed_open(name, connection, flags, &f->pages->keys)
             : sqlite3_open_v2(name, connection, flags, NULL);
}

bool po_sealed_is_encrypted(sqlite3 *connection) { return database_of(connection) != NULL; }

// ---- The state of a file ----------------------------------------------------------------------------------------

/// Whether one of the first two pages proves that the file was encrypted with one of the keys.
static bool has_known_page(file *f) {
    for (int size = PO_SEALED_MIN_PAGE; size <= 65536; size *= 2)
        for (int page = 1; page <= 2; page++) {
            uint8_t end[RESERVED];
            uint32_t number;
            if (CALL(f, xRead, end, RESERVED, (int64_t)size * page - RESERVED)) continue;
            if (po_pages_key_state(f->pages, end, RESERVED, &number) == PO_SEALED_READABLE) return true;
        }
    return false;
}

po_sealed_state po_sealed_inspect(sqlite3 *connection, uint32_t *number) {
    *number = 0;
    file *f = database_of(connection);
    if (!f) return PO_SEALED_FOREIGN;
    uint8_t header[CLEAR];
    sqlite3_int64 file_size = 0;
    if (CALL(f, xFileSize, &file_size)) return PO_SEALED_UNREADABLE;
    if (file_size == 0) return PO_SEALED_EMPTY;
    int code = CALL(f, xRead, header, CLEAR, 0);
    if (code && code != SQLITE_IOERR_SHORT_READ) return PO_SEALED_UNREADABLE;
    int size = stored_page_size(header);
    if (code || !po_sealed_is_header(header, CLEAR) || !is_page_size(size))
        return has_known_page(f) ? PO_SEALED_CHANGED : PO_SEALED_PLAIN;
    uint8_t *page = po_pages_buffer(f->pages, size);
    if (!page) return PO_SEALED_UNREADABLE;
    code = CALL(f, xRead, page, size, 0);
    if (code == SQLITE_IOERR_SHORT_READ) return PO_SEALED_CHANGED;
    if (code) return PO_SEALED_UNREADABLE;
    po_sealed_state state = po_pages_key_state(f->pages, page, size, number);
    if (state != PO_SEALED_READABLE) return has_known_page(f) ? PO_SEALED_CHANGED : state;
    if (po_pages_open(f->pages, page, size, 1)) return PO_SEALED_CHANGED;
    return f->is_unverified ? PO_SEALED_UNVERIFIED : PO_SEALED_READABLE;
}

int po_sealed_uses_key(sqlite3 *connection, uint32_t number, bool *is_used) {
    *is_used = false;
    file *f = database_of(connection);
    if (!f) return SQLITE_MISUSE;
    uint8_t header[CLEAR];
    sqlite3_int64 file_size = 0;
    int code = CALL(f, xRead, header, CLEAR, 0);
    if (!code) code = CALL(f, xFileSize, &file_size);
    if (code) return code;
    int size = stored_page_size(header);
    if (!is_page_size(size)) return PO_SEALED_DAMAGED;
    // SQLite never writes the page at this offset, which its locks use.
    int64_t unused = 0x40000000 / size;
    for (int64_t page = 0; (page + 1) * size <= file_size && !*is_used; page++) {
        uint8_t end[NUMBER];
        if (page == unused) continue;
        code = CALL(f, xRead, end, NUMBER, (page + 1) * size - RESERVED + AT_NUMBER);
        if (code) return code;
        *is_used = get32(end) == number;
    }
    return SQLITE_OK;
}
