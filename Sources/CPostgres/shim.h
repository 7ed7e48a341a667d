// The functions of libpq that PostgresEngine calls. They are declared here, so that the package compiles without
// libpq-fe.h. Only programs that are built with the trait PostgreSQL are linked with libpq. These functions are
// unchanged since PostgreSQL 14; they are documented at https://www.postgresql.org/docs/15/libpq.html.
#pragma once
#include <stddef.h>

typedef struct pg_conn PGconn;
typedef struct pg_result PGresult;
typedef struct pg_cancel PGcancel;
typedef struct pgNotify PGnotify;
typedef unsigned int Oid;
typedef void (*PQnoticeReceiver)(void *arg, const PGresult *res);

typedef enum { CONNECTION_OK, CONNECTION_BAD } ConnStatusType;
typedef enum {
    PGRES_EMPTY_QUERY = 0, PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_COPY_OUT, PGRES_COPY_IN, PGRES_BAD_RESPONSE,
    PGRES_NONFATAL_ERROR, PGRES_FATAL_ERROR, PGRES_COPY_BOTH, PGRES_SINGLE_TUPLE, PGRES_PIPELINE_SYNC,
    PGRES_PIPELINE_ABORTED
} ExecStatusType;
typedef struct {
    char *keyword;
    char *envvar;
    char *compiled;
    char *val;
    char *label;
    char *dispchar;
    int dispsize;
} PQconninfoOption;

extern PQconninfoOption *PQconninfoParse(const char *conninfo, char **message);
extern void PQconninfoFree(PQconninfoOption *options);
extern void PQfreemem(void *pointer);
extern PGconn *PQconnectdbParams(const char *const *keywords, const char *const *values, int expandsDatabase);
extern void PQfinish(PGconn *conn);
extern ConnStatusType PQstatus(const PGconn *conn);
extern const char *PQparameterStatus(const PGconn *conn, const char *name);
extern char *PQuser(const PGconn *conn);
extern char *PQerrorMessage(const PGconn *conn);
extern PQnoticeReceiver PQsetNoticeReceiver(PGconn *conn, PQnoticeReceiver receiver, void *arg);

extern int PQenterPipelineMode(PGconn *conn);
extern int PQexitPipelineMode(PGconn *conn);
extern int PQpipelineSync(PGconn *conn);
extern int PQflush(PGconn *conn);
extern int PQsendFlushRequest(PGconn *conn);
extern int PQsendQuery(PGconn *conn, const char *command);
extern int PQsendQueryParams(
    PGconn *conn, const char *command, int count, const Oid *types, const char *const *values, const int *lengths,
    const int *formats, int resultFormat);
extern int PQsendPrepare(PGconn *conn, const char *name, const char *query, int count, const Oid *types);
extern int PQsendDescribePrepared(PGconn *conn, const char *name);
extern int PQsendQueryPrepared(
    PGconn *conn, const char *name, int count, const char *const *values, const int *lengths, const int *formats,
    int resultFormat);
extern int PQconsumeInput(PGconn *conn);
extern PGnotify *PQnotifies(PGconn *conn);
extern int PQisBusy(PGconn *conn);
extern int PQsocket(const PGconn *conn);
extern int PQsslInUse(PGconn *conn);
extern PGresult *PQgetResult(PGconn *conn);
extern int PQgetCopyData(PGconn *conn, char **buffer, int isAsync);
extern int PQputCopyData(PGconn *conn, const char *buffer, int count);
extern int PQputCopyEnd(PGconn *conn, const char *message);

extern ExecStatusType PQresultStatus(const PGresult *res);
extern char *PQresultErrorMessage(const PGresult *res);
extern char *PQresultErrorField(const PGresult *res, int field);
extern int PQntuples(const PGresult *res);
extern int PQnfields(const PGresult *res);
extern int PQnparams(const PGresult *res);
extern Oid PQparamtype(const PGresult *res, int index);
extern Oid PQftype(const PGresult *res, int column);
extern Oid PQftable(const PGresult *res, int column);
extern int PQfmod(const PGresult *res, int column);
extern char *PQfname(const PGresult *res, int column);
extern char *PQcmdStatus(PGresult *res);
extern char *PQcmdTuples(PGresult *res);
extern char *PQgetvalue(const PGresult *res, int row, int column);
extern int PQgetlength(const PGresult *res, int row, int column);
extern int PQgetisnull(const PGresult *res, int row, int column);
extern void PQclear(PGresult *res);

extern PGcancel *PQgetCancel(PGconn *conn);
extern int PQcancel(PGcancel *cancel, char *message, int size);
extern void PQfreeCancel(PGcancel *cancel);
