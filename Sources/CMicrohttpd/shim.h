// The part of libmicrohttpd that LoopbackHTTP uses. It is declared here, so that the package compiles without
// libmicrohttpd; only programs that answer requests link it.
#ifndef PO_MICROHTTPD_H
#define PO_MICROHTTPD_H

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>

struct MHD_Daemon;
struct MHD_Connection;
struct MHD_Response;
typedef int (*PO_MHD_Handler)(
    void *context, struct MHD_Connection *connection, const char *url, const char *method, const char *version,
    const char *upload, size_t *upload_size, void **state);

typedef void (*PO_MHD_Completed)(void *context, struct MHD_Connection *connection, void **state, int reason);
typedef int (*PO_MHD_Iterator)(
    void *context, int kind, const char *key, size_t key_size, const char *value, size_t value_size);

struct MHD_Daemon *MHD_start_daemon(
    unsigned int flags, uint16_t port, void *policy, void *policy_context, PO_MHD_Handler handler, void *context, ...);
void MHD_stop_daemon(struct MHD_Daemon *daemon);
const void *MHD_get_daemon_info(struct MHD_Daemon *daemon, int kind, ...);
int MHD_get_connection_values_n(struct MHD_Connection *connection, int kind, PO_MHD_Iterator iterator, void *context);
void MHD_suspend_connection(struct MHD_Connection *connection);
void MHD_resume_connection(struct MHD_Connection *connection);
struct MHD_Response *MHD_create_response_from_buffer(size_t size, void *buffer, int mode);
int MHD_add_response_header(struct MHD_Response *response, const char *name, const char *value);
int MHD_queue_response(struct MHD_Connection *connection, unsigned int status, struct MHD_Response *response);
void MHD_destroy_response(struct MHD_Response *response);

enum { PO_MHD_HEADER = 1, PO_MHD_ARGUMENT = 8, PO_MHD_MUST_COPY = 2 };

/// Starts a server with some threads, at the loopback address only. Port 0 is any free port. A thread that answers a
/// request accepts no connections, so a new connection never waits for a slow answer while another thread is idle.
static inline struct MHD_Daemon *po_mhd_start(
    uint16_t port, PO_MHD_Handler handler, PO_MHD_Completed completed, void *context, unsigned int seconds,
    size_t head_bytes, unsigned int connections, unsigned int threads) {
    struct sockaddr_in address;
    memset(&address, 0, sizeof address);
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    // MHD_USE_INTERNAL_POLLING_THREAD (8) with MHD_USE_POLL (64), because select() closes connections in a process with
    // more than 1,024 open files, and epoll does not notice a client that hangs up within a request; and
    // MHD_ALLOW_SUSPEND_RESUME (8192), which needs MHD_USE_ITC (1024). The options are the memory of a connection, the
    // number of connections, the seconds without activity, the function that is called at the end of a request, the
    // address, and the number of threads.
    return MHD_start_daemon(
        8 | 64 | 8192 | 1024, port, NULL, NULL, handler, context, 1, head_bytes, 2, connections, 3, seconds, 4, completed,
        NULL, 6, (struct sockaddr *)&address, 14, threads, 0);
}

/// The port of a server; 0 if it is not known.
static inline uint16_t po_mhd_port(struct MHD_Daemon *daemon) {
    const uint16_t *port = (const uint16_t *)MHD_get_daemon_info(daemon, 6);
    return port ? *port : 0;
}

#endif
