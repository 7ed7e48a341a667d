#include "sealed.h"
#include <string.h>

// Temporary files: sort spills, statement journals, temporary tables. SQLite reads and writes them at any offset, so
// they consist of encrypted blocks. The key is random and exists only in memory.

enum { BLOCK = 4096, STORED = BLOCK + COUNTER + TAG };

struct temporary {
    uint8_t key[32];
    uint64_t counter;
    int64_t size;
    /// The block in `plain`; -1 for none.
    int64_t current;
    uint8_t plain[BLOCK];
    uint8_t stored[STORED];
};

temporary *po_temporary_create(void) {
    temporary *file = sqlite3_malloc(sizeof(temporary));
    if (!file) return NULL;
    memset(file, 0, sizeof *file);
    file->current = -1;
    if (po_cipher.random(file->key, sizeof file->key)) {
        sqlite3_free(file);
        return NULL;
    }
    return file;
}

void po_temporary_free(temporary *file) {
    if (!file) return;
    wipe(file, sizeof *file);
    sqlite3_free(file);
}

int64_t po_temporary_size(const temporary *file) { return file->size; }

/// Reads a block into `plain`; a block that was never written has zeros.
static int load(temporary *file, sqlite3_file *real, int64_t block) {
    if (file->current == block) return SQLITE_OK;
    file->current = -1;
    int code = real->pMethods->xRead(real, file->stored, STORED, block * STORED);
    if (code != SQLITE_OK && code != SQLITE_IOERR_SHORT_READ) return code;
    uint8_t header[8], nonce[12] = {0}, *end = file->stored + BLOCK;
    put64(header, (uint64_t)block);
    memcpy(nonce + 4, end, COUNTER);
    static const uint8_t none[COUNTER + TAG];
    if (memcmp(end, none, COUNTER + TAG) == 0)
        memset(file->plain, 0, BLOCK);
    else if (po_cipher.open(
                 file->key, nonce, header, sizeof header, file->stored, BLOCK, end + COUNTER, file->plain))
        return PO_SEALED_DAMAGED;
    file->current = block;
    return SQLITE_OK;
}

static int store(temporary *file, sqlite3_file *real) {
    uint8_t header[8], nonce[12] = {0}, *end = file->stored + BLOCK;
    put64(header, (uint64_t)file->current);
    put64(end, ++file->counter);
    memcpy(nonce + 4, end, COUNTER);
    if (po_cipher.seal(
            file->key, nonce, header, sizeof header, file->plain, BLOCK, file->stored, end + COUNTER))
        return SQLITE_IOERR_WRITE;
    int code = real->pMethods->xWrite(real, file->stored, STORED, file->current * STORED);
    if (code) file->current = -1;
    return code;
}

int po_temporary_read(temporary *file, sqlite3_file *real, uint8_t *bytes, int count, int64_t offset) {
    int64_t available = file->size > offset ? file->size - offset : 0;
    int rest = available < count ? (int)available : count;
    if (rest < count) memset(bytes + rest, 0, count - rest);
    for (int done = 0; done < rest;) {
        int64_t block = (offset + done) / BLOCK;
        int start = (int)((offset + done) % BLOCK), part = BLOCK - start < rest - done ? BLOCK - start : rest - done;
        int code = load(file, real, block);
        if (code) return code;
        memcpy(bytes + done, file->plain + start, part);
        done += part;
    }
    return rest < count ? SQLITE_IOERR_SHORT_READ : SQLITE_OK;
}

int po_temporary_write(temporary *file, sqlite3_file *real, const uint8_t *bytes, int count, int64_t offset) {
    for (int done = 0; done < count;) {
        int64_t block = (offset + done) / BLOCK, first = block * BLOCK;
        int start = (int)((offset + done) % BLOCK), part = BLOCK - start < count - done ? BLOCK - start : count - done;
        if (part == BLOCK || first >= file->size) {
            file->current = block;
            memset(file->plain, 0, BLOCK);
        } else {
            int code = load(file, real, block);
            if (code) return code;
            // Bytes after the former end of the file may be left from before it was truncated.
            if (file->size < first + BLOCK) memset(file->plain + (file->size - first), 0, first + BLOCK - file->size);
        }
        memcpy(file->plain + start, bytes + done, part);
        int code = store(file, real);
        if (code) return code;
        done += part;
        if (file->size < offset + done) file->size = offset + done;
    }
    return SQLITE_OK;
}

int po_temporary_truncate(temporary *file, sqlite3_file *real, int64_t size) {
    int code = real->pMethods->xTruncate(real, (size + BLOCK - 1) / BLOCK * STORED);
    if (code) return code;
    if (file->current * BLOCK >= size) file->current = -1;
    if (size < file->size) file->size = size;
    return SQLITE_OK;
}
