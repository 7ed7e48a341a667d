#pragma once
#include "sealed.h"

// A file that SQLite has opened through the VFS, and the functions for each kind of file. The real files belong to the
// default VFS of the process at the time of the call.

typedef enum { PASSED, DATABASE, LOG, JOURNAL, TEMPORARY } kind;

typedef struct file {
    sqlite3_file base;
    sqlite3_file *real;
    kind kind;
    /// The encryption, which belongs to the database's file.
    pages *pages;
    /// The database's file, for its log and its journal.
    struct file *database;
    temporary *temporary;
    /// Log: the page number and the place of the last frame header. Journal: of the last page number.
    uint32_t number;
    int64_t number_at;
    /// Log: the end of the last page that was written, if nothing was read or written since then; -1 otherwise.
    int64_t page_end;
    /// Log: the last frame header, if it is to be written together with its page.
    bool has_frame;
    uint8_t frame[FRAME_HEADER];
    /// Journal: the place of the last page's checksum, and its difference from the checksum of the plain page.
    int64_t checksum_at;
    uint32_t checksum_difference;
    /// Database: whether SQLite has read the header of a page that could not be decrypted.
    bool is_unverified;
    /// Database: whether a checkpoint runs, and the encrypted page that it has read from the log.
    bool is_copying;
    const void *copied;
    int copied_size;
} file;

#define FILE_OF(f) ((file *)(f))
#define REAL(f) (FILE_OF(f)->real)
#define CALL(f, method, ...) (REAL(f)->pMethods->method(REAL(f), ##__VA_ARGS__))

int po_database_read(file *f, uint8_t *bytes, int count, int64_t offset);
int po_database_write(file *f, const uint8_t *bytes, int count, int64_t offset);
int po_log_read(file *f, uint8_t *bytes, int count, int64_t offset);
int po_log_write(file *f, const uint8_t *bytes, int count, int64_t offset);
/// Writes a frame header that waits for its page. SQLite writes the page immediately after the header, so no other call
/// finds one.
int po_log_flush(file *f);
int po_journal_read(file *f, uint8_t *bytes, int count, int64_t offset);
int po_journal_write(file *f, const uint8_t *bytes, int count, int64_t offset);

/// The encrypted database of a connection; NULL if it is not encrypted by this VFS.
file *po_database_of(sqlite3 *connection);
/// The page size that the header of a database states.
int po_stored_page_size(const uint8_t *header);

/// Whether a page could not be decrypted. It is then read again, because a disk can return wrong bytes once.
static inline bool is_undecryptable(int code) { return code == PO_SEALED_DAMAGED || code == PO_SEALED_WRONG_KEY; }
