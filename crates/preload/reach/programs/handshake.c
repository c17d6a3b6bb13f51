/* Handshakes of TLS in memory: a client and a server in one thread, with a pair of BIOs between them. */
#include "identity.h"
#include "load.h"

#include <openssl/ssl.h>

static SSL_CTX *server_context, *client_context;

static void prepare(void) {
    struct identity identity = make_identity();
    server_context = SSL_CTX_new(TLS_server_method());
    client_context = SSL_CTX_new(TLS_client_method());
    must(server_context && client_context, "SSL_CTX_new");
    must(SSL_CTX_use_certificate(server_context, identity.certificate) == 1, "SSL_CTX_use_certificate");
    must(SSL_CTX_use_PrivateKey(server_context, identity.key) == 1, "SSL_CTX_use_PrivateKey");
    must(X509_STORE_add_cert(SSL_CTX_get_cert_store(client_context), identity.certificate) == 1, "X509_STORE_add_cert");
    SSL_CTX_set_verify(client_context, SSL_VERIFY_PEER, NULL);
}

/* Whether one side is done. If not, it has to wait for bytes of the other side; else it failed. */
static int is_done(SSL *side) {
    int answer = SSL_do_handshake(side);
    must(answer == 1 || SSL_get_error(side, answer) == SSL_ERROR_WANT_READ, "SSL_do_handshake");
    return answer == 1;
}

static unsigned long handshake(void) {
    SSL *server = SSL_new(server_context), *client = SSL_new(client_context);
    BIO *server_end, *client_end;
    must(server && client, "SSL_new");
    must(BIO_new_bio_pair(&server_end, 0, &client_end, 0) == 1, "BIO_new_bio_pair");
    SSL_set_bio(server, server_end, server_end);
    SSL_set_bio(client, client_end, client_end);
    SSL_set_accept_state(server);
    SSL_set_connect_state(client);
    int done = 0;
    while (!done) {
        int client_done = is_done(client);
        done = is_done(server) && client_done;
    }
    SSL_free(server);
    SSL_free(client);
    return 1;
}

int main(int argc, char **argv) {
    static const struct load loads[] = {{"tls", prepare, handshake}, {NULL, NULL, NULL}};
    return load_main(argc, argv, loads);
}
