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
    /// repeated. It includes the values in the history, and adds no entries to it. Objects in memory and unsaved edits
    /// are not affected. The hashes of searchable properties keep their
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
                try session.connection.withoutRules {
                    try session.write { try ValueRewriter.changeIndexKey(columns, sealed, session) }
                }
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
                    let uses = { SealedColumn.keyNumber($0, connection.dialect) + " = " + connection.dialect.key(key) }
                    let isUsed: SQL = """
                        SELECT 1 FROM \(name: column.table) WHERE \(uses("\(name: column.column)")) LIMIT 1
                        """
                    let history = try column.history(connection)
                    guard try connection.value(isUsed) == nil, try history?.contains(uses) != true else {
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
    fileprivate static func keyNumber(_ value: SQL, _ dialect: Dialect) -> SQL {
        let hasHash: SQL = "substr(\(value), 1, 1) = \(dialect.bytes([2]))"
        return "substr(\(value), CASE WHEN \(hasHash) THEN \(number: 2 + SealedForm.hashSize) ELSE 2 END, 4)"
    }

    fileprivate var hasKeys: Bool { identity == "uuid" || identity == "string" }

    /// The key of the object.
    fileprivate var objectKey: SQL { hasKeys ? "\(name: Property.keyName)" : "NULL" }

    /// The values in the history; nil if the table has none.
    fileprivate func history(_ connection: any Connection) throws -> SealedHistory? {
        try SealedHistory(of: column, in: table, hasKeys: hasKeys, connection)
    }
}

extension Dialect {
    /// Bytes as SQL.
    fileprivate func bytes(_ bytes: [UInt8]) -> SQL { literal(.blob(bytes), .blob).map { "\(literal: $0)" } ?? "NULL" }

    /// A key number as it is stored in values.
    fileprivate func key(_ number: UInt32) -> SQL {
        bytes((0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) })
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
        // The meaning of the values is unchanged, so the history gets no entries.
        try session.connection.withoutRules {
            try session.write {
                let connection = session.connection
                try sealed.prepareToWrite(connection, hashes: column.isSearchable)
                let current = connection.dialect.key(sealed.currentKey)
                let isOld = { SealedColumn.keyNumber($0, connection.dialect) + " <> " + current }
                let limit = ValueRewriter.batchSize
                let count = try rewrite(where: "\(isOld("\(name: column.column)")) LIMIT \(number: limit)")
                guard count == 0, var history = try column.history(connection) else { return count }
                return try history.rewrite(limit: limit, where: isOld) { value, row, key in
                    try sealed.sealed(opened(value, row, key), column.sealing, key: key)
                }
            }
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
        let update = try connection.prepare(
            "UPDATE \(name: column.table) SET \(name: column.column) = ? WHERE \"id\" = ?")
        let resealed = ResealedValues(connection)
        let isSynced = try resealed.areNeeded(for: column.table)
        for row in rows {
            guard case .integer(let id) = row[0] else { continue }
            do {
                let value = try sealed.sealed(opened(row[1], id, row[2]), column.sealing, key: row[2])
                try update.execute([value, row[0]])
                if isSynced { try resealed.replace(row[1], by: value) }
            } catch let error as StoreError {
                throw error.at(className: column.owner, property: column.property, rowID: id)
            }
        }
        return rows.count
    }

    private func opened(_ value: DatabaseValue, _ id: Int64, _ key: DatabaseValue) throws -> DatabaseValue {
        do throws(StoreError) {
            return try sealed.value(value, column.context, key: key, session.connection)
        } catch { throw error.at(className: column.owner, property: column.property, rowID: id) }
    }

    /// Makes the hashes with the current key.
    static func changeIndexKey(_ columns: [SealedColumn], _ sealed: SealedValues, _ session: Session) throws {
        let connection = session.connection
        let columns = columns.filter(\.isSearchable)
        guard !columns.isEmpty, try sealed.indexKey(connection) != sealed.currentKey else { return }
        try sealed.prepareToWrite(connection, hashes: true)
        try connection.prepare("UPDATE \(name: SealNames.keys) SET is_index = CASE WHEN number = ? THEN 1 ELSE 0 END")
            .execute([
                .integer(Int64(sealed.currentKey))
            ])
        try sealed.prepareToWrite(connection, hashes: true)
        for column in columns { _ = try ValueRewriter(column, sealed, session).rewrite(where: "1 = 1") }
    }
}
