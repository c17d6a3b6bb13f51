#include "identity.h"

#include "load.h"

struct identity make_identity(void) {
    struct identity made = {EVP_EC_gen("P-256"), X509_new()};
    must(made.key && made.certificate, "a key and a certificate");
    X509_set_version(made.certificate, X509_VERSION_3);
    ASN1_INTEGER_set(X509_get_serialNumber(made.certificate), 1);
    X509_gmtime_adj(X509_getm_notBefore(made.certificate), 0);
    X509_gmtime_adj(X509_getm_notAfter(made.certificate), 24 * 60 * 60);
    X509_NAME *name = X509_get_subject_name(made.certificate);
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, (const unsigned char *)"localhost", -1, -1, 0);
    X509_set_issuer_name(made.certificate, name);
    X509_set_pubkey(made.certificate, made.key);
    must(X509_sign(made.certificate, made.key, EVP_sha256()) > 0, "X509_sign");
    return made;
}
