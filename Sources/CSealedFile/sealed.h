#pragma once
#include "CSealedFile.h"
#include <sqlite3.h>
#include <stddef.h>

// The parts of the VFS that share these declarations: pages.c (encryption of pages), temporary.c (temporary files),
// database.c, log.c and journal.c (the files of a database), state.c (the state of a file), vfs.c (SQLite's calls).

enum { RESERVED = PO_SEALED_RESERVED, SALT = 12, CHECK = 4, COUNTER = 8, TAG = 16, NUMBER = 4, FILE_ID = 12 };
// The end of a page: salt, check, counter, tag, number of the key, id of the file.
enum { AT_CHECK = SALT, AT_COUNTER = AT_CHECK + CHECK, AT_TAG = AT_COUNTER + COUNTER, AT_NUMBER = AT_TAG + TAG,
       AT_FILE_ID = AT_NUMBER + NUMBER };
enum { FRAME_HEADER = 24 };
enum { CLEAR = 32, VERSIONS = 18, SEALED_VERSION = 0x50, DERIVED = 36, CACHED_KEYS = 64 };

/// A key that was derived for the pages of one connection, and the end of the salt's proof that the key is right.
typedef struct {
    bool is_used;
    uint32_t number;
    uint8_t salt[SALT];
    uint8_t key[DERIVED];
} derived_key;

/// The encryption of one connection's database, shared by its file, log and journal.
typedef struct {
    po_sealed_keys keys;
    bool has_id;
    uint8_t id[FILE_ID];
    /// The key for writing. It is renewed after a fork, because parent and child must not use a counter twice.
    derived_key writer;
    uint64_t counter;
    unsigned forks;
    derived_key cache[CACHED_KEYS];
    /// Memory for a page, after memory for the header of its frame in the log.
    uint8_t *buffer;
    int buffer_size;
} pages;

extern po_sealed_cipher po_cipher;
extern volatile unsigned po_forks;

pages *po_pages_create(const po_sealed_keys *keys);
void po_pages_free(pages *pages);
/// Encrypts a page into the buffer of `pages`.
int po_pages_seal(pages *pages, const uint8_t *plain, int size, uint32_t number);
/// Decrypts a page in place.
int po_pages_open(pages *pages, uint8_t *page, int size, uint32_t number);
/// Whether the keys have the page's key: READABLE, OTHER_KEY or NO_KEY.
po_sealed_state po_pages_key_state(pages *pages, const uint8_t *page, int size, uint32_t *number);
/// Memory of at least this size; NULL if there is none.
uint8_t *po_pages_buffer(pages *pages, int size);

static inline uint32_t get32(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}
static inline void put32(uint8_t *bytes, uint32_t value) {
    for (int i = 0; i < 4; i++) bytes[i] = (uint8_t)(value >> (24 - 8 * i));
}
static inline void put64(uint8_t *bytes, uint64_t value) {
    for (int i = 0; i < 8; i++) bytes[i] = (uint8_t)(value >> (56 - 8 * i));
}
/// Overwrites memory, which the compiler must not leave out.
static inline void wipe(void *memory, size_t count) {
    volatile uint8_t *bytes = memory;
    while (count--) *bytes++ = 0;
}
static inline bool is_page_size(int count) {
    return count >= PO_SEALED_MIN_PAGE && count <= 65536 && (count & (count - 1)) == 0;
}

/// A temporary file, which only one connection uses. Its key exists only in memory.
typedef struct temporary temporary;
temporary *po_temporary_create(void);
void po_temporary_free(temporary *file);
int po_temporary_read(temporary *file, sqlite3_file *real, uint8_t *bytes, int count, int64_t offset);
int po_temporary_write(temporary *file, sqlite3_file *real, const uint8_t *bytes, int count, int64_t offset);
int po_temporary_truncate(temporary *file, sqlite3_file *real, int64_t size);
int64_t po_temporary_size(const temporary *file);
