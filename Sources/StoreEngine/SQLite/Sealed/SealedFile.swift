// Sealed: opens files that are encrypted by the VFS of CSealedFile, and determines their state. It knows keys by their
// numbers, and must not know their source, nor cryptography.

internal import CSQLite
internal import CSealedFile

/// Calls of the VFS for encrypted files.
package enum SealedFile {
    /// Keys, as the context of C functions.
    private final class Context {
        let keys: any FileKeys
        init(_ keys: any FileKeys) { self.keys = keys }

        static func of(_ pointer: UnsafeRawPointer) -> Unmanaged<Context> { Unmanaged.fromOpaque(pointer) }
    }

    /// Calls `body` with the keys of a form; nil for a plain file.
    private static func withKeys<R>(_ form: FileForm, _ body: (UnsafePointer<po_sealed_keys>?) -> R) -> R {
        guard case .encrypted(let keys) = form else { return body(nil) }
        let context = Context(keys)
        var functions = po_sealed_keys(
            context: Unmanaged.passUnretained(context).toOpaque(),
            retain: { _ = Context.of($0).retain() },
            release: { Context.of($0).release() },
            current: { Context.of($0).takeUnretainedValue().keys.currentKey },
            key: { Context.of($0).takeUnretainedValue().keys.copyKey($1, to: $2) ? 0 : 1 })
        return withExtendedLifetime(context) { body(&functions) }
    }

    /// Opens a database in a form; `vfs` is the VFS of a plain one.
    package static func open(
        _ name: String, _ handle: inout OpaquePointer?, _ flags: Int32, vfs: String? = nil, _ form: FileForm
    ) -> Int32 {
        guard form != .plain else { return sqlite3_open_v2(name, &handle, flags, vfs) }
        return withKeys(form) { po_sealed_open(name, &handle, flags, $0) }
    }

    /// Opens a database in the form and with the keys of another connection's database.
    static func open(like other: OpaquePointer, _ name: String, _ handle: inout OpaquePointer?, _ flags: Int32) -> Int32
    {
        po_sealed_open_like(other, name, &handle, flags)
    }

    /// Calls `body`, whose statement creates a database in a form; the connection is `convertible` or encrypted.
    static func creating<E: Error>(
        _ form: FileForm, with connection: OpaquePointer, _ body: () throws(E) -> Void
    ) throws(E) {
        if form.isEncrypted { po_sealed_reserve(connection) }
        let result: Result<Void, E> = withKeys(form) { keys in
            po_sealed_enter(keys)
            defer { po_sealed_leave() }
            return Result { () throws(E) in try body() }
        }
        try result.get()
    }

    /// Whether these first bytes of a file belong to an encrypted database.
    static func isHeader(_ bytes: [UInt8]) -> Bool { po_sealed_is_header(bytes, Int32(bytes.count)) }

    /// Whether a page of an encrypted file uses a key. Pages in the log are not examined.
    static func usesKey(_ number: UInt32, _ handle: OpaquePointer) throws(StoreError) -> Bool {
        var isUsed = false
        let code = po_sealed_uses_key(handle, number, &isUsed)
        guard code == SQLITE_OK else { throw .engine(code, message: "The keys of the pages cannot be read") }
        return isUsed
    }

    /// A problem with an encrypted file.
    enum Problem {
        /// The file must not be used.
        case error(StoreError)
        /// The file is not encrypted.
        case plain
        /// The first page is damaged, or is being written. SQLite may be able to restore it.
        case changed
        /// The first page is sound now, but was not when SQLite read its header.
        case unverified
    }

    /// The problem with the first page of a connection's file; nil if there is none.
    static func problem(_ handle: OpaquePointer) -> Problem? {
        var number: UInt32 = 0
        var state = po_sealed_inspect(handle, &number)
        // Another connection may be writing the page at this moment.
        for _ in 0..<2 where [PO_SEALED_OTHER_KEY, PO_SEALED_NO_KEY, PO_SEALED_PLAIN].contains(state) {
            state = po_sealed_inspect(handle, &number)
        }
        switch state {
        case PO_SEALED_EMPTY, PO_SEALED_READABLE, PO_SEALED_FOREIGN: return nil
        case PO_SEALED_PLAIN: return .plain
        case PO_SEALED_OTHER_KEY:
            return .error(
                StoreError(
                    .wrongKey,
                    "Key \(number) of the keyring is not the key \(number) that encrypts the file. Nothing was "
                        + "changed. Open it with the keyring with which it was created"))
        case PO_SEALED_NO_KEY:
            return .error(
                StoreError(
                    .wrongKey,
                    "The keyring has no key \(number), which encrypts the file. Nothing was changed. Open it with the "
                        + "keyring with which it was created"))
        case PO_SEALED_CHANGED: return .changed
        case PO_SEALED_UNVERIFIED: return .unverified
        default: return .error(StoreError(.inputOutput, "The first page of the file cannot be read"))
        }
    }

    static let damaged = StoreError(
        .damaged, "Encrypted bytes of the file were changed. Use a backup")
    static let notEncrypted = StoreError(
        .wrongKey, "The file is not encrypted. Open it without encryption and call encrypt(with:).")
    static let isEncrypted = StoreError(
        .wrongKey, "The file is encrypted. Set encryption: .file(keys) in the store's configuration")
}
