/* Frequent uses of OpenSSL 3. Each of them takes locks of the library. */
#include "identity.h"
#include "load.h"

#include <openssl/rand.h>
#include <openssl/ssl.h>

static struct identity identity;
static unsigned char *encoded;
static int encoded_length;

static void make_certificate(void) {
    identity = make_identity();
    encoded_length = i2d_X509(identity.certificate, &encoded);
    must(encoded_length > 0, "i2d_X509");
}

static unsigned long fetch_digest(void) {
    EVP_MD *digest = EVP_MD_fetch(NULL, "SHA2-256", NULL);
    must(digest != NULL, "EVP_MD_fetch");
    EVP_MD_free(digest);
    return 1;
}

static unsigned long fetch_cipher(void) {
    EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, "AES-256-GCM", NULL);
    must(cipher != NULL, "EVP_CIPHER_fetch");
    EVP_CIPHER_free(cipher);
    return 1;
}

static unsigned long parse_certificate(void) {
    const unsigned char *at = encoded;
    X509 *parsed = d2i_X509(NULL, &at, encoded_length);
    must(parsed != NULL, "d2i_X509");
    X509_free(parsed);
    return 1;
}

static unsigned long random_bytes(void) {
    unsigned char bytes[16];
    must(RAND_bytes(bytes, sizeof bytes) == 1, "RAND_bytes");
    return 1;
}

static unsigned long tls_context(void) {
    SSL_CTX *context = SSL_CTX_new(TLS_method());
    must(context != NULL, "SSL_CTX_new");
    SSL_CTX_free(context);
    return 1;
}

/* Makes a digest and a context for a key, and frees both. */
static unsigned long objects(void) {
    unsigned char result[EVP_MAX_MD_SIZE];
    EVP_MD_CTX *digest = EVP_MD_CTX_new();
    must(EVP_DigestInit_ex(digest, EVP_sha256(), NULL) == 1, "EVP_DigestInit_ex");
    must(EVP_DigestUpdate(digest, "text", 4) == 1, "EVP_DigestUpdate");
    must(EVP_DigestFinal_ex(digest, result, NULL) == 1, "EVP_DigestFinal_ex");
    EVP_MD_CTX_free(digest);
    EVP_PKEY_CTX *key = EVP_PKEY_CTX_new(identity.key, NULL);
    must(key != NULL, "EVP_PKEY_CTX_new");
    EVP_PKEY_CTX_free(key);
    return 1;
}

int main(int argc, char **argv) {
    static const struct load loads[] = {
        {"fetch-digest", NULL, fetch_digest},
        {"fetch-cipher", NULL, fetch_cipher},
        {"certificate", make_certificate, parse_certificate},
        {"random", NULL, random_bytes},
        {"context", NULL, tls_context},
        {"objects", make_certificate, objects},
        {NULL, NULL, NULL},
    };
    return load_main(argc, argv, loads);
}
