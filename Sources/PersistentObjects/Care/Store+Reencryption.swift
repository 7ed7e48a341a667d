internal import StoreEngine

// The keys of encrypted properties.
extension Store {
    /// Encrypts the values of all encrypted properties with the current key of the keyring.
    ///
    /// ```swift
    /// try keys.addKey()
    /// try store.reencrypt()
    /// try store.removeKey(1)
    /// ```
    ///
    /// It works in transactions of 500 values. If it ends early, every value has one of the keys, and the call can be
    /// repeated. Objects in memory and unsaved edits are not affected. The hashes of searchable properties keep their
    /// key; see ``changeIndexKey()``.
    ///
    /// - Parameter progress: Called after each transaction with the number of values encrypted so far. An error that it
    ///   throws ends the call.
    /// - Returns: The number of values that were encrypted again.
    /// - Throws: `StoreError`: `misuse` without a keyring, or in a transaction; `locked`, `wrongKey` or `damaged`, with
    ///   table and row, for a value that cannot be decrypted; `busy`, `diskFull`, `readOnly`.
    @discardableResult
    public func reencrypt(progress: ((_ completedCount: Int) throws -> Void)? = nil) throws -> Int {
        guard let sealed else {
            throw StoreError(.misuse, "The store has no keyring. Open it with configuration: .init(keyring: keys)")
        }
        return try withSession { session in
            try session.enter {
                guard session.level == nil else {
                    throw StoreError(.misuse, "reencrypt() cannot run in a transaction, because it consists of several")
                }
                let columns = try SealedColumns(session.connection, session.connection.schema).all
                var count = 0
                for column in columns {
                    let writer = ValueRewriter(column, sealed, session)
                    while case let written = try writer.rewriteSome(), written > 0 {
                        count += written
                        try progress?(count)
                    }
                }
                return count
            }
        }
    }

    /// Makes the hashes of all searchable properties with the current key of the keyring.
    ///
    /// ```swift
    /// try keys.addKey()
    /// try store.reencrypt()
    /// try store.changeIndexKey()
    /// try store.removeKey(1)
    /// ```
    ///
    /// It encrypts all values of these properties in one transaction. An undo of an earlier change restores hashes that
    /// conditions no longer find; end the sessions that record undo before the call.
    ///
    /// - Throws: `StoreError`, as ``reencrypt(progress:)``. Nothing is changed then.
    public func changeIndexKey() throws {
        guard let sealed else {
            throw StoreError(.misuse, "The store has no keyring. Open it with configuration: .init(keyring: keys)")
        }
        try withSession { session in
            try session.enter {
                let columns = try SealedColumns(session.connection, session.connection.schema).all
                guard !columns.isEmpty else { return }
                try session.write { try ValueRewriter.changeIndexKey(columns, sealed, session) }
            }
        }
    }

    /// Throws if an encrypted value of the file uses a key.
    func checkNoValueUses(_ key: UInt32) throws {
        guard let sealed else { return }
        try withSession { session in
            try session.enter {
                let (connection, columns) = (
                    session.connection, try SealedColumns(session.connection, session.connection.schema).all
                )
                for column in columns {
                    let isUsed: SQL = """
                        SELECT 1 FROM \(name: column.table) \
                        WHERE \(column.keyNumber) = \(SealedColumn.literal(key)) LIMIT 1
                        """
                    guard try connection.value(isUsed) == nil else {
                        throw StoreError(
                            .misuse,
                            "Key \(key) encrypts values of \(column.owner).\(column.property). Call reencrypt() before you "
                                + "remove the key")
                    }
                }
                if columns.contains(where: \.isSearchable), try sealed.indexKey(connection) == key {
                    throw StoreError(
                        .misuse,
                        "Key \(key) makes the hashes of searchable properties. Call changeIndexKey() before you remove the "
                            + "key")
                }
            }
        }
    }
}

extension SealedColumn {
    /// The key number in a value, as bytes.
    fileprivate var keyNumber: SQL { "substr(\(name: column), \(number: isSearchable ? 18 : 2), 4)" }

    /// A key number as it is stored in values.
    fileprivate static func literal(_ key: UInt32) -> SQL {
        let bytes = (0..<4).map { UInt8(truncatingIfNeeded: key >> (24 - 8 * $0)) }
        return SQLLiteral(.blob(bytes)).map { "\(literal: $0)" } ?? "NULL"
    }

    /// The key of the object.
    fileprivate var objectKey: SQL {
        identity == "uuid" || identity == "string" ? "\(name: Property.keyName)" : "NULL"
    }

    fileprivate var sealing: PropertySealing {
        PropertySealing(
            owner: owner, property: property, isPadded: flags & 1 != 0, isSearchable: isSearchable)
    }
}

/// Encrypts the values of a column again. It does not need the class.
private struct ValueRewriter {
    private static let batchSize = 500

    private let column: SealedColumn
    private let sealed: SealedValues
    private let session: Session

    init(_ column: SealedColumn, _ sealed: SealedValues, _ session: Session) {
        self.column = column
        self.sealed = sealed
        self.session = session
    }

    /// Encrypts some values that have another key than the current key, in one transaction; returns their number.
    func rewriteSome() throws -> Int {
        try session.write {
            try sealed.prepareToWrite(session.connection, hashes: column.isSearchable)
            let current = SealedColumn.literal(sealed.currentKey)
            return try rewrite(where: "\(column.keyNumber) <> \(current) LIMIT \(number: ValueRewriter.batchSize)")
        }
    }

    private func rewrite(where condition: SQL) throws -> Int {
        let connection = session.connection
        // The values are unchanged, so no subscriber is notified.
        connection.rowLog?.isPaused = true
        defer { connection.rowLog?.isPaused = false }
        let select: SQL = """
            SELECT "id", \(name: column.column), \(column.objectKey) FROM \(name: column.table) \
            WHERE \(name: column.column) IS NOT NULL AND \(condition)
            """
        let rows = try connection.prepare(select).rows([])
        let value = column.sealing.sealed("?", key: column.objectKey)
        let update = try connection.prepare(
            "UPDATE \(name: column.table) SET \(name: column.column) = \(value) WHERE \"id\" = ?")
        for row in rows {
            guard case .integer(let id) = row[0] else { continue }
            do throws(StoreError) {
                let plain = try sealed.value(row[1], column.context, key: row[2], connection)
                do { try update.execute([plain, row[0]]) } catch let error as StoreError { throw error } catch {
                    throw StoreError(.misuse, "\(error)")
                }
            } catch { throw error.at(className: column.owner, property: column.property, rowID: id) }
        }
        return rows.count
    }

    /// Makes the hashes with the current key.
    static func changeIndexKey(_ columns: [SealedColumn], _ sealed: SealedValues, _ session: Session) throws {
        let connection = session.connection
        let columns = columns.filter(\.isSearchable)
        guard !columns.isEmpty, try sealed.indexKey(connection) != sealed.currentKey else { return }
        try sealed.prepareToWrite(connection, hashes: true)
        try connection.prepare("UPDATE \(name: SealNames.keys) SET is_index = (number = ?)").execute([
            .integer(Int64(sealed.currentKey))
        ])
        try sealed.prepareToWrite(connection, hashes: true)
        for column in columns { _ = try ValueRewriter(column, sealed, session).rewrite(where: "1") }
    }
}
