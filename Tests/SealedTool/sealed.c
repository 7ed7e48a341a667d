// An extension of the `sqlite3` tool, with which it reads and writes the encrypted files of `PO_SEALED=1`. It shares the
// VFS with the library, and has its own key derivation. TestSupport compiles it together with `Sources/CSealedFile`.

#include "CSealedFile.h"
#include <sodium.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

static int seal(
    const uint8_t *key, const uint8_t *nonce, const uint8_t *header, int header_count, const uint8_t *plain, int count,
    uint8_t *sealed, uint8_t *tag) {
    return crypto_aead_chacha20poly1305_ietf_encrypt_detached(
        sealed, tag, NULL, plain, count, header, header_count, NULL, nonce, key);
}

static int unseal(
    const uint8_t *key, const uint8_t *nonce, const uint8_t *header, int header_count, const uint8_t *sealed, int count,
    const uint8_t *tag, uint8_t *plain) {
    return crypto_aead_chacha20poly1305_ietf_decrypt_detached(
        plain, NULL, sealed, count, tag, header, header_count, nonce, key);
}

static void hmac(const uint8_t *key, int key_count, const uint8_t *bytes, int count, uint8_t *hash) {
    crypto_auth_hmacsha256_state state;
    crypto_auth_hmacsha256_init(&state, key, key_count);
    crypto_auth_hmacsha256_update(&state, bytes, count);
    crypto_auth_hmacsha256_final(&state, hash);
}

// HKDF-SHA256 (RFC 5869) with the output of two blocks, of which 36 bytes are used.
static int derive(const uint8_t *key, const uint8_t *salt, int salt_count, uint8_t *derived) {
    static const char info[] = "po page 1";
    enum { INFO = sizeof info - 1, HASH = 32 };
    uint8_t secret[HASH], block[HASH + INFO + 1], hash[HASH];
    hmac(salt, salt_count, key, 32, secret);
    memcpy(block, info, INFO);
    block[INFO] = 1;
    hmac(secret, HASH, block, INFO + 1, derived);
    memcpy(block, derived, HASH);
    memcpy(block + HASH, info, INFO);
    block[HASH + INFO] = 2;
    hmac(secret, HASH, block, HASH + INFO + 1, hash);
    memcpy(derived + HASH, hash, 4);
    return 0;
}

static int fill(uint8_t *bytes, int count) {
    randombytes_buf(bytes, count);
    return 0;
}

static void keep(const void *context) { (void)context; }
static uint32_t current(const void *context) {
    (void)context;
    return 1;
}

// The key of `TestKeys` in TestSupport.
static int copy_key(const void *context, uint32_t number, uint8_t *key) {
    (void)context;
    if (number != 1) return 1;
    for (int i = 0; i < 32; i++) key[i] = (uint8_t)(i * 7 + 1);
    return 0;
}

static const po_sealed_cipher cipher = {seal, unseal, derive, fill};
static const po_sealed_keys keys = {&cipher, keep, keep, current, copy_key};

static int (*open_sealed)(sqlite3_vfs *, const char *, sqlite3_file *, int, int *);

// A file that has content and is not encrypted is opened as it is. The tool has no other connection whose locks the
// closed descriptor would release.
static int open_any(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out_flags) {
    if (!(flags & SQLITE_OPEN_MAIN_DB)) return open_sealed(vfs, name, file, flags, out_flags);
    uint8_t header[32];
    FILE *stream = name ? fopen(name, "rb") : NULL;
    size_t count = stream ? fread(header, 1, sizeof header, stream) : 0;
    if (stream) fclose(stream);
    po_sealed_enter(count > 0 && !po_sealed_is_header(header, (int)count) ? NULL : &keys);
    int code = open_sealed(vfs, name, file, flags, out_flags);
    po_sealed_leave();
    return code;
}

static int reserve(sqlite3 *connection, char **message, const void *api) {
    (void)message;
    (void)api;
    if (po_sealed_is_encrypted(connection)) po_sealed_reserve(connection);
    return SQLITE_OK;
}

int sqlite3_extension_init(sqlite3 *connection, char **message, const void *api) {
    (void)connection;
    (void)message;
    (void)api;
    if (sodium_init() < 0 || po_sealed_register(&cipher)) return SQLITE_ERROR;
    sqlite3_vfs *vfs = sqlite3_vfs_find("po-sealed");
    open_sealed = vfs->xOpen;
    vfs->xOpen = open_any;
    sqlite3_auto_extension((void (*)(void))reserve);
    return SQLITE_OK_LOAD_PERMANENTLY;
}
