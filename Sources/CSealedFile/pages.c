#include "sealed.h"
#include <string.h>

// The encryption of pages. A page is encrypted with a key that is derived from a key of the keyring and a random salt of
// the connection, under a counter that never repeats.

po_sealed_cipher po_cipher;
volatile unsigned po_forks;

pages *po_pages_create(const po_sealed_keys *keys) {
    pages *result = sqlite3_malloc(sizeof(pages));
    if (!result) return NULL;
    memset(result, 0, sizeof(pages));
    result->keys = *keys;
    keys->retain(keys->context);
    return result;
}

void po_pages_free(pages *pages) {
    if (!pages) return;
    pages->keys.release(pages->keys.context);
    if (pages->buffer) sqlite3_free(pages->buffer - FRAME_HEADER);
    wipe(pages, sizeof *pages);
    sqlite3_free(pages);
}

uint8_t *po_pages_buffer(pages *pages, int size) {
    if (pages->buffer_size < size) {
        uint8_t *memory = sqlite3_realloc(pages->buffer ? pages->buffer - FRAME_HEADER : NULL, FRAME_HEADER + size);
        if (!memory) return NULL;
        pages->buffer = memory + FRAME_HEADER;
        pages->buffer_size = size;
    }
    return pages->buffer;
}

// The salt of the derivation: the connection's salt and the file's id.
static int derive(pages *pages, uint32_t number, const uint8_t *salt, const uint8_t *id, derived_key *result) {
    uint8_t key[32], info[SALT + FILE_ID];
    if (pages->keys.key(pages->keys.context, number, key)) return PO_SEALED_WRONG_KEY;
    memcpy(info, salt, SALT);
    memcpy(info + SALT, id, FILE_ID);
    int failure = po_cipher.derive(key, info, sizeof info, result->key);
    wipe(key, sizeof key);
    if (failure) return SQLITE_NOMEM;
    result->is_used = true;
    result->number = number;
    memcpy(result->salt, salt, SALT);
    return SQLITE_OK;
}

static int prepare_writer(pages *pages) {
    uint32_t number = pages->keys.current(pages->keys.context);
    if (pages->writer.is_used && pages->writer.number == number && pages->forks == po_forks) return SQLITE_OK;
    if (!number) return PO_SEALED_WRONG_KEY;
    uint8_t salt[SALT];
    if (!pages->has_id) {
        if (po_cipher.random(pages->id, FILE_ID)) return SQLITE_IOERR_WRITE;
        pages->has_id = true;
    }
    if (po_cipher.random(salt, SALT)) return SQLITE_IOERR_WRITE;
    pages->counter = 0;
    pages->forks = po_forks;
    pages->writer.is_used = false;
    return derive(pages, number, salt, pages->id, &pages->writer);
}

// The associated data: page number, key number, file id, and the unencrypted bytes of page 1.
static int header_of(uint8_t *header, const uint8_t *page, const uint8_t *end, uint32_t number) {
    put32(header, number);
    memcpy(header + 4, end + AT_NUMBER, NUMBER + FILE_ID);
    if (number != 1) return 4 + NUMBER + FILE_ID;
    memcpy(header + 4 + NUMBER + FILE_ID, page, CLEAR);
    return 4 + NUMBER + FILE_ID + CLEAR;
}

int po_pages_seal(pages *pages, const uint8_t *plain, int size, uint32_t number) {
    // A database without the reserved bytes would lose the end of each page.
    if (number == 1 && plain[20] != RESERVED) return SQLITE_IOERR_WRITE;
    int code = prepare_writer(pages);
    if (code) return code;
    uint8_t *page = po_pages_buffer(pages, size);
    if (!page) return SQLITE_NOMEM;
    int clear = number == 1 ? CLEAR : 0;
    memcpy(page, plain, clear);
    if (number == 1) {
        // A plain SQLite rejects the file because of these versions, before it reads the log.
        page[VERSIONS] += SEALED_VERSION;
        page[VERSIONS + 1] += SEALED_VERSION;
    }
    uint8_t *end = page + size - RESERVED, header[4 + NUMBER + FILE_ID + CLEAR], nonce[12] = {0};
    memcpy(end, pages->writer.salt, SALT);
    memcpy(end + AT_CHECK, pages->writer.key + 32, CHECK);
    put64(end + AT_COUNTER, ++pages->counter);
    memcpy(nonce + 4, end + AT_COUNTER, COUNTER);
    put32(end + AT_NUMBER, pages->writer.number);
    memcpy(end + AT_FILE_ID, pages->id, FILE_ID);
    int count = header_of(header, page, end, number);
    if (po_cipher.seal(
            pages->writer.key, nonce, header, count, plain + clear, size - RESERVED - clear, page + clear,
            end + AT_TAG))
        return SQLITE_IOERR_WRITE;
    return SQLITE_OK;
}

/// The derived key of a page, from the cache if possible.
static int reader(pages *pages, const uint8_t *end, derived_key **result) {
    uint32_t number = get32(end + AT_NUMBER);
    derived_key *slot = &pages->cache[(end[0] ^ end[1]) % CACHED_KEYS];
    *result = slot;
    if (slot->is_used && slot->number == number && memcmp(slot->salt, end, SALT) == 0
        && memcmp(slot->key + 32, end + AT_CHECK, CHECK) == 0)
        return SQLITE_OK;
    slot->is_used = false;
    return derive(pages, number, end, end + AT_FILE_ID, slot);
}

int po_pages_open(pages *pages, uint8_t *page, int size, uint32_t number) {
    uint8_t *end = page + size - RESERVED, header[4 + NUMBER + FILE_ID + CLEAR], nonce[12] = {0};
    // Page 1 defines the id, because another connection may have created the file.
    if (pages->has_id && number != 1 && memcmp(pages->id, end + AT_FILE_ID, FILE_ID) != 0) return PO_SEALED_DAMAGED;
    derived_key *key;
    int code = reader(pages, end, &key);
    if (code) return code;
    if (memcmp(key->key + 32, end + AT_CHECK, CHECK) != 0) {
        key->is_used = false;
        return pages->has_id ? PO_SEALED_DAMAGED : PO_SEALED_WRONG_KEY;
    }
    memcpy(nonce + 4, end + AT_COUNTER, COUNTER);
    int clear = number == 1 ? CLEAR : 0, count = header_of(header, page, end, number);
    if (po_cipher.open(
            key->key, nonce, header, count, page + clear, size - RESERVED - clear, end + AT_TAG, page + clear)) {
        key->is_used = false;
        return PO_SEALED_DAMAGED;
    }
    if (!pages->has_id || number == 1) {
        if (pages->has_id && memcmp(pages->id, end + AT_FILE_ID, FILE_ID) != 0) pages->writer.is_used = false;
        memcpy(pages->id, end + AT_FILE_ID, FILE_ID);
        pages->has_id = true;
    }
    if (number == 1) {
        page[VERSIONS] -= SEALED_VERSION;
        page[VERSIONS + 1] -= SEALED_VERSION;
    }
    memset(end, 0, RESERVED);
    return SQLITE_OK;
}

po_sealed_state po_pages_key_state(pages *pages, const uint8_t *page, int size, uint32_t *number) {
    const uint8_t *end = page + size - RESERVED;
    *number = get32(end + AT_NUMBER);
    derived_key key = {0};
    int code = derive(pages, *number, end, end + AT_FILE_ID, &key);
    bool is_right = code == SQLITE_OK && memcmp(key.key + 32, end + AT_CHECK, CHECK) == 0;
    wipe(&key, sizeof key);
    return code ? PO_SEALED_NO_KEY : is_right ? PO_SEALED_READABLE : PO_SEALED_OTHER_KEY;
}
