internal import CSQLite

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// The author and the number that triggers write into the history entries of the open transaction.
///
/// Other programs fire the same triggers, so the triggers call only functions that every SQLite has: `sign('po.author')`
/// is NULL there, because the string is not a number. In a connection of this library, `sign` is this object's function.
/// It differs from SQLite's only for two strings, and only while a transaction is signed.
///
/// Invariant: the values change only between statements, because SQLite may call a deterministic function once for all
/// rows of a statement.
final class EntrySignature {
    /// The function's name, which user functions must not have.
    static let function = "sign"

    /// The author of the next signed transactions.
    var author: String?
    /// The number of the open transaction; nil if its entries are not signed.
    var transaction: Int64?

    private func answer(_ context: OpaquePointer, _ value: OpaquePointer) {
        if let transaction, sqlite3_value_type(value) == SQLITE_TEXT {
            if EntrySignature.isText(value, "po.transaction") {
                return sqlite3_result_int64(context, transaction)
            }
            if EntrySignature.isText(value, "po.author") {
                guard var author else { return }
                return author.withUTF8 { text in
                    text.withMemoryRebound(to: CChar.self) {
                        po_sqlite3_result_text_copied(context, $0.baseAddress, UInt64($0.count))
                    }
                }
            }
        }
        // The rest is SQLite's own definition.
        let kind = sqlite3_value_numeric_type(value)
        guard kind == SQLITE_INTEGER || kind == SQLITE_FLOAT else { return }
        let number = sqlite3_value_double(value)
        sqlite3_result_int(context, number < 0 ? -1 : number > 0 ? 1 : 0)
    }

    private static func isText(_ value: OpaquePointer, _ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard sqlite3_value_bytes(value) == count, let bytes = sqlite3_value_text(value) else { return false }
        return memcmp(bytes, text.utf8Start, count) == 0
    }

    /// Registers the function. SQLite retains this object, because a statement may outlive its connection.
    func register(with handle: OpaquePointer) throws(StoreError) {
        let code = sqlite3_create_function_v2(
            handle, EntrySignature.function, 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS,
            Unmanaged.passRetained(self).toOpaque(),
            { context, _, values in
                guard let context, let value = values?[0], let address = sqlite3_user_data(context) else { return }
                Unmanaged<EntrySignature>.fromOpaque(address).takeUnretainedValue().answer(context, value)
            }, nil, nil,
            { address in if let address { Unmanaged<EntrySignature>.fromOpaque(address).release() } })
        guard code == SQLITE_OK else {
            throw .engine(code, message: "SQLite does not accept the function \(EntrySignature.function)")
        }
    }
}

extension SQLiteConnection {
    package var author: String? {
        get { signature.author }
        set { signature.author = newValue }
    }

    package func signEntries(transaction: Int64?) { signature.transaction = transaction }
}
