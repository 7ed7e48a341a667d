#pragma once
#include <stdbool.h>
#include <stdint.h>

// Encrypted database files: a VFS of SQLite (https://sqlite.org/vfs.html) that encrypts the pages of a database in its
// file, its log and its rollback journal, and all temporary files of its connections. Docs/FileFormat.md describes the
// bytes. The VFS is registered by name and is never the default.

#pragma clang assume_nonnull begin

typedef struct sqlite3 sqlite3;

/// The number of bytes at the end of each page that the encryption uses.
#define PO_SEALED_RESERVED 56
/// The smallest page size.
#define PO_SEALED_MIN_PAGE 4096
/// The result of a read if encrypted bytes were changed: SQLITE_IOERR_DATA.
#define PO_SEALED_DAMAGED 8202
/// The result of a read or write if the key is missing or differs: SQLITE_IOERR with a detail that SQLite does not use.
#define PO_SEALED_WRONG_KEY 28682

/// The cryptographic functions. Each returns 0 on success.
typedef struct {
    /// Encrypts bytes with ChaCha20-Poly1305: a key of 32 bytes, a nonce of 12, and a tag of 16.
    int (*seal)(
        const uint8_t *key, const uint8_t *nonce, const uint8_t *header, int header_count, const uint8_t *plain,
        int count, uint8_t *sealed, uint8_t *tag);
    /// Decrypts bytes, also in place; fails if any byte was changed.
    int (*open)(
        const uint8_t *key, const uint8_t *nonce, const uint8_t *header, int header_count, const uint8_t *sealed,
        int count, const uint8_t *tag, uint8_t *plain);
    /// Derives 36 bytes from a key of 32 bytes and a salt.
    int (*derive)(const uint8_t *key, const uint8_t *salt, int salt_count, uint8_t *derived);
    /// Fills memory with random bytes.
    int (*random)(uint8_t *bytes, int count);
} po_sealed_cipher;

/// The keys of a file. The functions may be called from several threads at once.
typedef struct {
    const void *context;
    void (*retain)(const void *context);
    void (*release)(const void *context);
    /// The number of the key that encrypts new pages; 0 for none.
    uint32_t (*current)(const void *context);
    /// Copies the 32 bytes of a key; returns 0 if it exists.
    int (*key)(const void *context, uint32_t number, uint8_t *key);
} po_sealed_keys;

/// Registers the VFS on the first call. The functions are the same for all files of the process.
int po_sealed_register(const po_sealed_cipher *cipher);

/// Until `po_sealed_leave`, the calling thread opens databases of this VFS with these keys; NULL opens plain files.
void po_sealed_enter(const po_sealed_keys *_Nullable keys);
void po_sealed_leave(void);

/// Opens a database like `sqlite3_open_v2`. The keys of NULL are a plain file, whose temporary files are encrypted.
int po_sealed_open(
    const char *name, sqlite3 *_Nullable *_Nonnull connection, int flags, const po_sealed_keys *_Nullable keys);
/// Opens a database in the same form and with the same keys as the main database of another connection.
int po_sealed_open_like(
    sqlite3 *_Nullable other, const char *name, sqlite3 *_Nullable *_Nonnull connection, int flags);
/// Requests the reserved bytes for pages of a file that the connection will create or copy.
void po_sealed_reserve(sqlite3 *connection);

/// The state of a database file.
typedef enum {
    /// The file has no pages.
    PO_SEALED_EMPTY,
    /// The first page can be read with the keys.
    PO_SEALED_READABLE,
    /// The file is not encrypted, or not a database.
    PO_SEALED_PLAIN,
    /// The key of the page differs from the key with the same number.
    PO_SEALED_OTHER_KEY,
    /// The keys lack the number.
    PO_SEALED_NO_KEY,
    /// Encrypted bytes of the first page were changed.
    PO_SEALED_CHANGED,
    /// The first page can be read, but could not when SQLite read the header, because another connection was writing it.
    PO_SEALED_UNVERIFIED,
    /// The file cannot be read.
    PO_SEALED_UNREADABLE,
    /// The file is not encrypted by this VFS.
    PO_SEALED_FOREIGN,
} po_sealed_state;

/// The state of the main database; `number` is the number of the first page's key.
po_sealed_state po_sealed_inspect(sqlite3 *connection, uint32_t *number);
/// Whether the main database is encrypted.
bool po_sealed_is_encrypted(sqlite3 *connection);
/// Finds out whether a page of the database file is encrypted with a key. Returns an SQLite result code.
int po_sealed_uses_key(sqlite3 *connection, uint32_t number, bool *is_used);
/// Whether these first bytes of a file belong to an encrypted database.
bool po_sealed_is_header(const uint8_t *bytes, int count);

#pragma clang assume_nonnull end
