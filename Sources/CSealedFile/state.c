#include "file.h"

// The state of a file.

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
    file *f = po_database_of(connection);
    if (!f) return PO_SEALED_FOREIGN;
    uint8_t header[CLEAR];
    sqlite3_int64 file_size = 0;
    if (CALL(f, xFileSize, &file_size)) return PO_SEALED_UNREADABLE;
    if (file_size == 0) return PO_SEALED_EMPTY;
    int code = CALL(f, xRead, header, CLEAR, 0);
    if (code && code != SQLITE_IOERR_SHORT_READ) return PO_SEALED_UNREADABLE;
    int size = po_stored_page_size(header);
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
    file *f = po_database_of(connection);
    if (!f) return SQLITE_MISUSE;
    uint8_t header[CLEAR];
    sqlite3_int64 file_size = 0;
    int code = CALL(f, xRead, header, CLEAR, 0);
    if (!code) code = CALL(f, xFileSize, &file_size);
    if (code) return code;
    int size = po_stored_page_size(header);
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
