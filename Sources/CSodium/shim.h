// The functions of libsodium that Sealing calls. They are declared here, so that the package compiles without sodium.h.
// Only programs that are built with the trait Encryption are linked with libsodium. These functions are unchanged since
// libsodium 1.0.15; they are documented at https://doc.libsodium.org.
#pragma once
#include <stddef.h>
#include <stdint.h>

extern int sodium_init(void);
extern void sodium_memzero(void *bytes, size_t count);
extern int sodium_mlock(void *bytes, size_t count);
extern int sodium_munlock(void *bytes, size_t count);
extern int sodium_memcmp(const void *one, const void *other, size_t count);
extern void randombytes_buf(void *bytes, size_t count);

extern int crypto_aead_chacha20poly1305_ietf_encrypt_detached(
    unsigned char *sealed, unsigned char *tag, unsigned long long *tag_count, const unsigned char *plain,
    unsigned long long count, const unsigned char *header, unsigned long long header_count,
    const unsigned char *unused, const unsigned char *nonce, const unsigned char *key);
extern int crypto_aead_chacha20poly1305_ietf_decrypt_detached(
    unsigned char *plain, unsigned char *unused, const unsigned char *sealed, unsigned long long count,
    const unsigned char *tag, const unsigned char *header, unsigned long long header_count,
    const unsigned char *nonce, const unsigned char *key);

extern int crypto_stream_chacha20_ietf(
    unsigned char *stream, unsigned long long count, const unsigned char *nonce, const unsigned char *key);
extern int crypto_stream_chacha20_ietf_xor_ic(
    unsigned char *result, const unsigned char *bytes, unsigned long long count, const unsigned char *nonce,
    uint32_t block, const unsigned char *key);
extern int crypto_verify_16(const unsigned char *one, const unsigned char *other);

/// The state of an authentication, which is no larger in any version.
typedef struct { _Alignas(64) unsigned char bytes[256]; } crypto_onetimeauth_poly1305_state;
extern int crypto_onetimeauth_poly1305_init(crypto_onetimeauth_poly1305_state *state, const unsigned char *key);
extern int crypto_onetimeauth_poly1305_update(
    crypto_onetimeauth_poly1305_state *state, const unsigned char *bytes, unsigned long long count);
extern int crypto_onetimeauth_poly1305_final(crypto_onetimeauth_poly1305_state *state, unsigned char *tag);

/// The state of a hash, which is smaller in all versions.
typedef struct { uint64_t words[64]; } crypto_auth_hmacsha256_state;
extern int crypto_auth_hmacsha256_init(
    crypto_auth_hmacsha256_state *state, const unsigned char *key, size_t count);
extern int crypto_auth_hmacsha256_update(
    crypto_auth_hmacsha256_state *state, const unsigned char *bytes, unsigned long long count);
extern int crypto_auth_hmacsha256_final(crypto_auth_hmacsha256_state *state, unsigned char *hash);

extern int crypto_sign_seed_keypair(unsigned char *public_key, unsigned char *secret_key, const unsigned char *seed);
extern int crypto_sign_detached(
    unsigned char *signature, unsigned long long *signature_count, const unsigned char *bytes,
    unsigned long long count, const unsigned char *secret_key);
extern int crypto_sign_verify_detached(
    const unsigned char *signature, const unsigned char *bytes, unsigned long long count,
    const unsigned char *public_key);

extern int crypto_scalarmult_curve25519_base(unsigned char *public_key, const unsigned char *secret_key);
extern int crypto_scalarmult_curve25519(
    unsigned char *shared, const unsigned char *secret_key, const unsigned char *public_key);

extern int crypto_pwhash(
    unsigned char *key, unsigned long long count, const char *password, unsigned long long password_count,
    const unsigned char *salt, unsigned long long operations, size_t memory, int algorithm);
enum { crypto_pwhash_ALG_ARGON2ID13 = 2 };
