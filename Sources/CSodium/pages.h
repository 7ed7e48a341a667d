// ChaCha20-Poly1305 (RFC 8439) of long messages, composed of libsodium's cipher and its authentication. The result is the
// same as that of crypto_aead_chacha20poly1305_ietf. The cipher encrypts 512 bytes at once, and takes a third of its time
// for the rest of a page that is shorter. Here the rest is extended to 512 bytes.
#pragma once
#include "shim.h"
#include <string.h>

enum { po_chacha_part = 512, po_chacha_block = 64 };

/// Encrypts or decrypts bytes, also in place.
static inline void po_chacha(
    unsigned char *result, const unsigned char *bytes, size_t count, const unsigned char *nonce,
    const unsigned char *key) {
    size_t rest = count % po_chacha_part, whole = count - rest;
    // Block 0 is the key of the authentication.
    crypto_stream_chacha20_ietf_xor_ic(result, bytes, whole, nonce, 1, key);
    if (!rest) return;
    unsigned char part[po_chacha_part] = {0};
    memcpy(part, bytes + whole, rest);
    crypto_stream_chacha20_ietf_xor_ic(
        part, part, sizeof part, nonce, (uint32_t)(1 + whole / po_chacha_block), key);
    memcpy(result + whole, part, rest);
    sodium_memzero(part, sizeof part);
}

static inline void po_chacha_tag(
    unsigned char *tag, const unsigned char *sealed, size_t count, const unsigned char *header, size_t header_count,
    const unsigned char *nonce, const unsigned char *key) {
    static const unsigned char zeros[16];
    unsigned char block[po_chacha_block], counts[16];
    for (int i = 0; i < 8; i++) {
        counts[i] = (unsigned char)((uint64_t)header_count >> 8 * i);
        counts[8 + i] = (unsigned char)((uint64_t)count >> 8 * i);
    }
    crypto_onetimeauth_poly1305_state state;
    crypto_stream_chacha20_ietf(block, sizeof block, nonce, key);
    crypto_onetimeauth_poly1305_init(&state, block);
    crypto_onetimeauth_poly1305_update(&state, header, header_count);
    crypto_onetimeauth_poly1305_update(&state, zeros, -header_count % 16);
    crypto_onetimeauth_poly1305_update(&state, sealed, count);
    crypto_onetimeauth_poly1305_update(&state, zeros, -count % 16);
    crypto_onetimeauth_poly1305_update(&state, counts, sizeof counts);
    crypto_onetimeauth_poly1305_final(&state, tag);
    sodium_memzero(block, sizeof block);
    sodium_memzero(&state, sizeof state);
}

/// Encrypts a message.
static inline void po_chacha_seal(
    unsigned char *sealed, unsigned char *tag, const unsigned char *plain, size_t count, const unsigned char *header,
    size_t header_count, const unsigned char *nonce, const unsigned char *key) {
    po_chacha(sealed, plain, count, nonce, key);
    po_chacha_tag(tag, sealed, count, header, header_count, nonce, key);
}

/// Decrypts a message, also in place. If any byte was changed, it returns -1, and the result has zeros.
static inline int po_chacha_open(
    unsigned char *plain, const unsigned char *sealed, size_t count, const unsigned char *tag,
    const unsigned char *header, size_t header_count, const unsigned char *nonce, const unsigned char *key) {
    unsigned char expected[16];
    po_chacha_tag(expected, sealed, count, header, header_count, nonce, key);
    int failure = crypto_verify_16(expected, tag);
    sodium_memzero(expected, sizeof expected);
    if (failure)
        memset(plain, 0, count);
    else
        po_chacha(plain, sealed, count, nonce, key);
    return failure;
}
