package import StoreEngine

/// Encrypted values that other devices have written, as this file stores them.
///
/// The conditions of a file compare hashes that are made with one key, which other devices can change at other times.
/// A value with the hash of another key is therefore encrypted again, if the keyring can decrypt it.
package final class ReceivedValues {
    private let connection: any Connection
    private let sealed: SealedValues?
    private let resealed: ResealedValues
    /// By the folded names of the table and the column.
    private let columns: [String: [String: SealedColumn]]
    /// Whether the transaction is prepared to encrypt; nil before the first value.
    private var canSeal: Bool?

    package init(_ session: Session) throws {
        connection = session.connection
        sealed = session.store.sealed
        resealed = ResealedValues(connection)
        var columns: [String: [String: SealedColumn]] = [:]
        for column in try SealedColumns(connection, connection.schema).all {
            columns[column.table, default: [:]][column.column] = column
        }
        self.columns = columns
    }

    /// The value that a row stores for a received value: its earlier value if that is another encryption of it.
    ///
    /// - Parameters:
    ///   - old: The value of the row; nil for a new row.
    ///   - key: The key of the object.
    package func stored(
        _ received: DatabaseValue, over old: DatabaseValue?, _ column: String, of table: String, key: DatabaseValue
    ) throws -> DatabaseValue {
        guard !columns.isEmpty, let column = columns[Naming.folded(table)]?[Naming.folded(column)] else {
            return received
        }
        if let old {
            if try resealed.isSame(old, received) { return old }
            try resealed.forget(old)
        }
        guard column.isSearchable, let sealed, try prepare(sealed),
            let plain = try? sealed.imported(received, column.context, key: key), plain != .null,
            let own = try? sealed.sealed(plain, column.sealing, key: key),
            SealedForm.hash(of: own) != SealedForm.hash(of: received)
        else { return received }
        try resealed.replace(received, by: own)
        return own
    }

    private func prepare(_ sealed: SealedValues) throws -> Bool {
        if let canSeal { return canSeal }
        // Without the key of the hashes, values are stored as they were received.
        do throws(StoreError) {
            try sealed.prepareToWrite(connection, hashes: true)
            canSeal = true
        } catch {
            guard [.locked, .wrongKey].contains(error.code) else { throw error }
            canSeal = false
        }
        return canSeal ?? false
    }
}
