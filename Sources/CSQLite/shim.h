// Functions that Swift cannot call by itself: SQLite's variadic functions, and the Swift runtime's own entry points.
//
// The runtime's functions are called from C because `@_silgen_name` on them warns ("reserved for the Swift
// runtime … this will become an error"), and because clang, not the importer, then picks the calling convention.
#pragma once
// Change sets are a compile-time option of SQLite, and so are their declarations.
#define SQLITE_ENABLE_SESSION 1
#define SQLITE_ENABLE_PREUPDATE_HOOK 1
#include <stddef.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

// Change sets. The references are weak, so that a program also starts with an SQLite that is built without them.
// sqlite3.h contains the same declarations, which the compiler compares with these.
typedef struct sqlite3_session sqlite3_session;
typedef struct sqlite3_changeset_iter sqlite3_changeset_iter;
#ifdef __APPLE__
#define PO_WEAK extern __attribute__((weak_import))
#else
#define PO_WEAK extern __attribute__((weak))
#endif
PO_WEAK int sqlite3session_create(sqlite3 *, const char *, sqlite3_session **);
PO_WEAK void sqlite3session_delete(sqlite3_session *);
PO_WEAK int sqlite3session_enable(sqlite3_session *, int);
PO_WEAK int sqlite3session_attach(sqlite3_session *, const char *);
PO_WEAK void sqlite3session_table_filter(sqlite3_session *, int (*)(void *, const char *), void *);
PO_WEAK int sqlite3session_changeset(sqlite3_session *, int *, void **);
PO_WEAK int sqlite3changeset_start(sqlite3_changeset_iter **, int, void *);
PO_WEAK int sqlite3changeset_next(sqlite3_changeset_iter *);
PO_WEAK int sqlite3changeset_op(sqlite3_changeset_iter *, const char **, int *, int *, int *);
PO_WEAK int sqlite3changeset_old(sqlite3_changeset_iter *, int, sqlite3_value **);
PO_WEAK int sqlite3changeset_new(sqlite3_changeset_iter *, int, sqlite3_value **);
PO_WEAK int sqlite3changeset_finalize(sqlite3_changeset_iter *);
PO_WEAK int sqlite3changeset_invert(int, const void *, int *, void **);
#undef PO_WEAK

/// Whether the SQLite of the running program can record change sets.
static inline bool po_sqlite3_has_change_sets(void) { return sqlite3session_create != 0; }

#pragma clang assume_nonnull begin

// ---- SQLite -------------------------------------------------------------------------------------------------

/// Sets a Boolean option of a connection, because Swift cannot call the variadic sqlite3_db_config.
static inline int po_sqlite3_db_config_flag(sqlite3 *connection, int option, int on) {
    return sqlite3_db_config(connection, option, on, (int *)0);
}

/// Binds bytes. SQLITE_STATIC and SQLITE_TRANSIENT are casts, which the importer skips.
static inline int po_sqlite3_bind_text_static(sqlite3_stmt *statement, int index, const char *text, uint64_t size) {
    return sqlite3_bind_text64(statement, index, text, size, SQLITE_STATIC, SQLITE_UTF8);
}
static inline int po_sqlite3_bind_text_copied(sqlite3_stmt *statement, int index, const char *text, uint64_t size) {
    return sqlite3_bind_text64(statement, index, text, size, SQLITE_TRANSIENT, SQLITE_UTF8);
}
static inline int po_sqlite3_bind_blob_static(sqlite3_stmt *statement, int index, const void *bytes, uint64_t size) {
    return sqlite3_bind_blob64(statement, index, bytes, size, SQLITE_STATIC);
}
static inline int po_sqlite3_bind_blob_copied(sqlite3_stmt *statement, int index, const void *bytes, uint64_t size) {
    return sqlite3_bind_blob64(statement, index, bytes, size, SQLITE_TRANSIENT);
}

/// Sets a function's result. NULL is an empty string or blob, not a missing value.
static inline void po_sqlite3_result_text_copied(sqlite3_context *context, const char *_Nullable text, uint64_t size) {
    sqlite3_result_text64(context, text ? text : "", size, SQLITE_TRANSIENT, SQLITE_UTF8);
}
static inline void po_sqlite3_result_blob_copied(sqlite3_context *context, const void *_Nullable bytes, uint64_t size) {
    sqlite3_result_blob64(context, bytes ? bytes : "", size, SQLITE_TRANSIENT);
}

// ---- The Swift runtime --------------------------------------------------------------------------------------

extern void *_Nullable swift_tryRetain(void *);
extern void swift_release(void *);
extern void swift_beginAccess(void *pointer, void *buffer, uintptr_t flags, void *_Nullable pc);

/// A strong reference to an object that may be dying: NULL once its last release is in progress.
static inline void *_Nullable po_try_retain(void *object) { return swift_tryRetain(object); }
static inline void po_release(void *object) { swift_release(object); }

// Weak references (HeapObject.h in the Swift sources); the references are addresses of `weak var`s.
extern void *_Nullable swift_weakInit(void *reference, void *_Nullable object);
extern void *_Nullable swift_weakAssign(void *reference, void *_Nullable object);
extern void *_Nullable swift_weakLoadStrong(void *reference);
extern void swift_weakDestroy(void *reference);

static inline void po_weak_init(void *reference, void *_Nullable object) { swift_weakInit(reference, object); }
static inline void po_weak_assign(void *reference, void *_Nullable object) { swift_weakAssign(reference, object); }
/// The object, retained.
static inline void *_Nullable po_weak_load(void *reference) { return swift_weakLoadStrong(reference); }
static inline void po_weak_destroy(void *reference) { swift_weakDestroy(reference); }

/// Prefetches memory that will be read soon into the cache.
static inline void po_prefetch(const void *address) { __builtin_prefetch(address, 0, 3); }

/// Whether this many bytes are equal at both addresses, which need not be aligned.
///
/// It is an inlined `memcmp`, because most objects have only a few words.
static inline bool po_has_same_bytes(const void *one, const void *other, long count) {
    typedef uint64_t words __attribute__((vector_size(16)));
    const char *a = (const char *)one, *b = (const char *)other;
    if (count < 16) {
        uint64_t x = 0, y = 0, z = 0, w = 0;
        if (count >= 8) {
            // The two words may overlap.
            __builtin_memcpy(&x, a, 8), __builtin_memcpy(&y, b, 8);
            __builtin_memcpy(&z, a + count - 8, 8), __builtin_memcpy(&w, b + count - 8, 8);
            return ((x ^ y) | (z ^ w)) == 0;
        }
        for (long place = 0; place < count; place++)
            if (a[place] != b[place]) return false;
        return true;
    }
    words difference = {0, 0}, x, y;
    for (long place = 0; place < count - 16; place += 16) {
        __builtin_memcpy(&x, a + place, 16), __builtin_memcpy(&y, b + place, 16);
        difference |= x ^ y;
    }
    __builtin_memcpy(&x, a + count - 16, 16), __builtin_memcpy(&y, b + count - 16, 16);
    difference |= x ^ y;
    return (difference[0] | difference[1]) == 0;
}

/// Stops the program ("Simultaneous accesses …") if the user is modifying this field.
static inline void po_check_no_modification(void *field) {
    void *buffer[3];
    swift_beginAccess(field, buffer, 0x0 /* read, untracked */, 0);
}
/// Stops the program if the user is reading or modifying this field.
static inline void po_check_no_access(void *field) {
    void *buffer[3];
    swift_beginAccess(field, buffer, 0x1 /* modify, untracked */, 0);
}

/// The runtime's description of a stored property, which `Mirror` uses, too.
typedef struct {
    const char *_Nullable name;
    void (*_Nullable free_name)(const char *_Nullable);
    bool is_strong;
    bool is_var;
} po_field_metadata;

#define PO_SWIFTCC __attribute__((swiftcall))
extern PO_SWIFTCC intptr_t swift_reflectionMirror_recursiveCount(const void *type);
extern PO_SWIFTCC const void *swift_reflectionMirror_recursiveChildMetadata(
    const void *type, intptr_t index, po_field_metadata *field);
extern PO_SWIFTCC intptr_t swift_reflectionMirror_recursiveChildOffset(const void *type, intptr_t index);

static inline intptr_t po_field_count(const void *type) { return swift_reflectionMirror_recursiveCount(type); }
static inline const void *po_field_type(const void *type, intptr_t index, po_field_metadata *field) {
    return swift_reflectionMirror_recursiveChildMetadata(type, index, field);
}
static inline intptr_t po_field_offset(const void *type, intptr_t index) {
    return swift_reflectionMirror_recursiveChildOffset(type, index);
}

/// The metadata of a type, from the accessor function in its descriptor (MetadataValues.h in the Swift sources).
/// The request 0 is for complete metadata.
typedef struct {
    const void *_Nullable metadata;
    uintptr_t state;
} po_metadata_response;
typedef PO_SWIFTCC po_metadata_response (*po_metadata_accessor)(uintptr_t request);

static inline const void *_Nullable po_metadata(const void *accessor) {
#if __has_feature(ptrauth_calls)
    return 0;  // A pointer that was computed has no signature.
#else
    return ((po_metadata_accessor)accessor)(0).metadata;
#endif
}

#if defined(__APPLE__)
#include <mach-o/dyld.h>
#include <mach-o/getsect.h>

/// Gets the type records of the next image from `index` on; returns the index after the image, and 0 at the end.
static inline uint32_t po_type_records(uint32_t index, const void *_Nullable *_Nonnull start, size_t *size) {
    for (; index < _dyld_image_count(); index++) {
        const struct mach_header_64 *header = (const struct mach_header_64 *)_dyld_get_image_header(index);
        unsigned long length = 0;
        if (!header) continue;
        *start = getsectiondata(header, "__TEXT", "__swift5_types", &length);
        *size = length;
        if (*start) return index + 1;
    }
    return 0;
}
#else
/// The used fields of the runtime's data about an image's metadata (MetadataSections.h in the Swift sources), which
/// exist in all versions.
typedef struct {
    uintptr_t version;
    const void *_Nullable base_address;
    void *_Nullable unused[2];
    uintptr_t ranges[2][2];
    uintptr_t types;
    size_t types_length;
} po_metadata_sections;
extern void swift_enumerateAllMetadataSections(
    bool (*body)(const po_metadata_sections *sections, void *context), void *context);

typedef void (*po_type_records_body)(const void *start, size_t size, void *context);
typedef struct {
    po_type_records_body body;
    void *context;
} po_type_records_call;
static inline bool po_pass_type_records(const po_metadata_sections *sections, void *context) {
    const po_type_records_call *call = (const po_type_records_call *)context;
    if (sections->types) call->body((const void *)sections->types, sections->types_length, call->context);
    return true;
}
/// Calls `body` with the type records of each image.
static inline void po_each_type_records(po_type_records_body body, void *context) {
    po_type_records_call call = {body, context};
    swift_enumerateAllMetadataSections(po_pass_type_records, &call);
}
#endif

// The task and the executor that the calling thread runs (Concurrency.h in the Swift sources).
typedef struct {
    void *_Nullable identity;
    uintptr_t implementation;
} po_executor;
extern PO_SWIFTCC void *_Nullable swift_task_getCurrent(void);
extern PO_SWIFTCC uint64_t swift_task_getJobTaskId(void *task);
extern PO_SWIFTCC po_executor swift_task_getCurrentExecutor(void);

static inline void *_Nullable po_current_task(void) { return swift_task_getCurrent(); }
/// A number that is unique among all tasks of the process.
static inline uint64_t po_task_id(void *task) { return swift_task_getJobTaskId(task); }
/// Whether an actor's code is running, including the main actor's.
static inline bool po_is_on_actor(void) { return swift_task_getCurrentExecutor().identity != 0; }

#pragma clang assume_nonnull end
