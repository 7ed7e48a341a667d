internal import PersistentObjects
internal import StoreEngine

// Values as pages show them. Long bytes are measured, and not read. Long strings are cut.
extension InspectedFile {
    /// The value of a property, or the size of its bytes as a string if they are long.
    func shown(_ property: PropertyDescription) -> SQL {
        let column: SQL = "\(name: property.storage)"
        guard property.storesBytes else { return isOnServer ? column : InspectedFile.measured(column) }
        if isOnServer {
            return """
                CASE WHEN octet_length(\(column)) > \(number: Bounds.bytes) \
                THEN convert_to('\(raw: RawSQL(InspectedFile.sizeMark))' || octet_length(\(column)), 'UTF8') \
                ELSE \(column) END
                """
        }
        return InspectedFile.measured(column)
    }

    /// Any value of a file: the size of long bytes, and the first characters of a long string.
    static func measured(_ value: SQL) -> SQL {
        let limit: SQL = "\(number: Bounds.shownCharacters)"
        // SQLite determines the type of a value and the length of bytes without reading them.
        return """
            CASE WHEN typeof(\(value)) = 'blob' AND length(\(value)) > \(number: Bounds.bytes) \
            THEN printf('%,d bytes', length(\(value))) \
            WHEN typeof(\(value)) = 'text' AND length(\(value)) > \(limit) \
            THEN substr(\(value), 1, \(limit)) || '…' ELSE \(value) END
            """
    }

    /// Precedes the size that a server returns in place of long bytes, because a column has one type.
    private static let sizeMark = "size of long bytes: "

    /// A value that `shown` selects.
    static func shown(_ value: DatabaseValue) -> DatabaseValue {
        guard case .blob(let bytes) = value, bytes.starts(with: sizeMark.utf8), bytes.count < sizeMark.utf8.count + 20,
            let size = Int(String(decoding: bytes.dropFirst(sizeMark.utf8.count), as: UTF8.self))
        else { return value }
        return .text("\(Bounds.grouped(size)) bytes")
    }

    /// The first rows of a user's statement.
    func shownRows(_ text: String, limit: Int) throws -> RowSet {
        let sql: SQL = "\(raw: RawSQL(text))"
        let columns = try withStatement(sql) { statement in
            (0..<Int32(statement.columnCount)).map { statement.columnName($0) }
        }
        let start = ContinuousClock.now
        do {
            guard !columns.isEmpty else { return try rows(sql, limit: limit) }
            var found = try rows(measuring(text, columns.count), limit: limit)
            found.columns = columns
            if isOnServer { found.rows = found.rows.map { InspectedFile.measured($0, columns.count) } }
            return found
        } catch let error as InspectorError {
            // Statements such as PRAGMA and SHOW cannot be a part of another statement.
            guard ContinuousClock.now - start < Bounds.time / 2 else { throw error }
            return try rows(sql, limit: limit)
        }
    }

    /// A statement with the rows of another statement, in which long bytes are replaced by their size. On a server, the
    /// values are followed by the sizes of bytes, because a column has one type.
    private func measuring(_ text: String, _ count: Int) throws -> SQL {
        let end = text.reversed().drop { $0.isWhitespace || $0 == ";" }
        let statement = RawSQL(String(end.reversed()))
        let names = (0..<count).map { "\(name: "column \($0)")" as SQL }
        // The statement can end with a comment.
        let rows: SQL = """
            WITH "shown" (\(list: names)) AS (\(raw: statement)
            )
            """
        let limit: SQL = "\(number: Bounds.bytes)"
        guard isOnServer else {
            let values = names.map { InspectedFile.measured($0) }
            return "\(rows) SELECT \(list: values) FROM \"shown\""
        }
        let types = try types(of: names, rows)
        let values = zip(names, types).map { name, type -> SQL in
            type == "bytea" ? "CASE WHEN octet_length(\(name)) > \(limit) THEN NULL ELSE \(name) END" : name
        }
        let sizes = zip(names, types).map { $1 == "bytea" ? "octet_length(\($0))" : "NULL" as SQL }
        return "\(rows) SELECT \(list: values + sizes) FROM \"shown\""
    }

    /// The types of a statement's columns on a server, which does not run the statement for them.
    private func types(of names: [SQL], _ rows: SQL) throws -> [String] {
        let types = names.map { "pg_typeof(\($0))::text" as SQL }
        let sql: SQL = """
            \(rows) SELECT \(list: types) FROM (SELECT 1) AS "one" \
            LEFT JOIN (SELECT * FROM "shown" LIMIT 0) AS "none" ON true
            """
        return try self.rows(sql).rows.first?.map { $0.text ?? "" } ?? []
    }

    /// The values of a row that is followed by the sizes of bytes.
    private static func measured(_ row: [DatabaseValue], _ count: Int) -> [DatabaseValue] {
        (0..<count).map { index in
            guard let size = row[count + index].integer, size > Bounds.bytes else { return row[index] }
            return .text("\(Bounds.grouped(Int(size))) bytes")
        }
    }

    /// Rows of a class by their ids, in the order of the ids, with the ids as first values.
    func rows(_ ids: [Int64], _ columns: [String], of description: ClassDescription) throws -> [[DatabaseValue]] {
        let described = Dictionary(description.properties.map { ($0.name, $0) }) { first, _ in first }
        let values = ["\"id\"" as SQL] + columns.map { name in described[name].map { shown($0) } ?? "\(name: name)" }
        let list = ids.compactMap { SQLLiteral(.integer($0)) }.map { "\(literal: $0)" as SQL }
        let sql: SQL = """
            SELECT \(list: values) FROM \(try source(of: description)) WHERE "id" IN (\(list: list))
            """
        let found = Dictionary(try rows(sql).rows.map { ($0[0].integer ?? 0, $0.map(InspectedFile.shown)) }) {
            first, _ in first
        }
        return ids.compactMap { found[$0] }
    }
}

extension PropertyDescription {
    /// The type of the values of its column; nil for encrypted values, which are shown as bytes.
    var shownType: String? { kind == .scalar && !isEncrypted ? type : nil }
    /// Whether the values of the column are bytes.
    var storesBytes: Bool { hasColumn && columnType == "BLOB" && shownType != "UUID" }
}
