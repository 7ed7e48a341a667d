#include "file.h"

// The rollback journal (https://sqlite.org/fileformat2.html#the_rollback_journal). Its checksums fit the encrypted pages, so
// a plain SQLite that finds the journal also restores the right pages.

/// The part of the checksum that depends on the page.
static uint32_t sum(const uint8_t *page, int size) {
    uint32_t sum = 0;
    for (int i = size - 200; i > 0; i -= 200) sum += page[i];
    return sum;
}

int po_journal_read(file *f, uint8_t *bytes, int count, int64_t offset) {
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

int po_journal_write(file *f, const uint8_t *bytes, int count, int64_t offset) {
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
