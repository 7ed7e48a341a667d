#include "file.h"
#include <string.h>

// The log (https://sqlite.org/walformat.html).

enum { LOG_HEADER = 32, LOG_VERSION = 3007000, SEALED_LOG_VERSION = 0x504f0001 };

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

int po_log_flush(file *f) {
    if (!f->has_frame) return SQLITE_OK;
    f->has_frame = false;
    return CALL(f, xWrite, f->frame, FRAME_HEADER, f->number_at);
}

int po_log_read(file *f, uint8_t *bytes, int count, int64_t offset) {
    if (po_log_flush(f)) return SQLITE_IOERR_READ;
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

int po_log_write(file *f, const uint8_t *bytes, int count, int64_t offset) {
    if (f->has_frame && (!is_page_size(count) || offset != f->number_at + FRAME_HEADER)) {
        int code = po_log_flush(f);
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
