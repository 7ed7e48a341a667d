#include "file.h"
#include <string.h>

// The pages of the database. A checkpoint copies encrypted pages unchanged from the log to the database.

enum { PARTIAL = 512 };

static const char magic[16] = "SQLite format 3";

bool po_sealed_is_header(const uint8_t *bytes, int count) {
    return count >= CLEAR && memcmp(bytes, magic, sizeof magic) == 0
        && (bytes[VERSIONS] == SEALED_VERSION + 1 || bytes[VERSIONS] == SEALED_VERSION + 2)
        && (bytes[VERSIONS + 1] == SEALED_VERSION + 1 || bytes[VERSIONS + 1] == SEALED_VERSION + 2);
}

int po_stored_page_size(const uint8_t *header) {
    int size = header[16] << 8 | header[17];
    return size == 1 ? 65536 : size;
}

/// Reads a part of page 1, or page 1 with another size than SQLite expects.
static int read_first(file *f, uint8_t *bytes, int count, int64_t offset) {
    uint8_t header[CLEAR];
    int code = CALL(f, xRead, header, CLEAR, 0);
    if (code && code != SQLITE_IOERR_SHORT_READ) return code;
    int size = po_stored_page_size(header);
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

int po_database_read(file *f, uint8_t *bytes, int count, int64_t offset) {
    if (!is_page_size(count) || offset % count != 0) return read_first(f, bytes, count, offset);
    int code = CALL(f, xRead, bytes, count, offset);
    if (code == SQLITE_IOERR_SHORT_READ) {
        sqlite3_int64 size = 0;
        if (CALL(f, xFileSize, &size)) return SQLITE_IOERR_READ;
        if (offset >= size) return code;
        return offset == 0 ? read_first(f, bytes, count, 0) : PO_SEALED_DAMAGED;
    }
    if (code) return code;
    if (offset == 0 && po_stored_page_size(bytes) != count) return read_first(f, bytes, count, 0);
    uint32_t number = (uint32_t)(offset / count) + 1;
    code = po_pages_open(f->pages, bytes, count, number);
    if (!is_undecryptable(code)) return code;
    code = CALL(f, xRead, bytes, count, offset);
    return code ? code : po_pages_open(f->pages, bytes, count, number);
}

int po_database_write(file *f, const uint8_t *bytes, int count, int64_t offset) {
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
