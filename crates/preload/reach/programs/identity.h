/* A certificate that signs itself, and its key. */
#include <openssl/evp.h>
#include <openssl/x509.h>

struct identity {
    EVP_PKEY *key;
    X509 *certificate;
};

struct identity make_identity(void);
