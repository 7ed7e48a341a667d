public import Foundation
internal import StoreEngine

// The history of classes that keep one.
extension Persistent where Self: PersistentObject {
    /// The changes of the object's row, in their order.
    ///
    /// - Throws: what `history(of:)` throws; `StoreError` with the code
    ///   `misuse` if the object was never saved.
    public func history() throws -> [HistoryEntry<Self>] {
        guard let id else {
            throw StoreError(.misuse, "it was never saved, so it has no history", className: "\(Self.self)")
        }
        return try Self.history(of: id)
    }

    /// The changes of the row with an id, which may have been deleted; of all rows of the hierarchy for nil.
    ///
    /// ```swift
    /// let deletions = try Person.history(of: nil).filter { $0.change == .deleted }
    /// ```
    ///
    /// - Throws: `StoreError` with the code `misuse` if the class keeps no
    ///   history.
    public static func history(of id: Int64?) throws -> [HistoryEntry<Self>] {
        try HistoryReader.entries(Self.self, id)
    }

    /// What the columns of a row held at a time; nil where there was no such row.
    ///
    /// ```swift
    /// let row = try Person.values(of: 7, at: yesterday)
    /// let name = try row?.value("last_name", as: String.self)
    /// ```
    ///
    /// Columns that were NULL are not in it, nor are those that came to the
    /// table later. For a time before the history began there is no row.
    ///
    /// - Throws: what `history(of:)` throws.
    public static func values(of id: Int64, at date: Date) throws -> Row? {
        var held: [String: DatabaseValue]?
        for entry in try history(of: id) where entry.date <= date {
            if entry.change == .deleted {
                held = nil
                continue
            }
            if entry.change != .changed { held = [:] }
            for (column, value) in zip(entry.new.columnNames, entry.new.values) {
                held?[column] = value == .null ? nil : value
            }
        }
        return held.map { values in
            let columns = values.keys.sorted()
            return Row(Row.Columns(columns, sql: ""), columns.map { values[$0] ?? .null })
        }
    }
}

/// Reads the tables of a history.
private enum HistoryReader {
    static func entries<T: PersistentObject>(_ type: T.Type, _ id: Int64?) throws -> [HistoryEntry<T>] {
        let session = try CurrentSession.session(for: type)
        return try session.enterToAsk("history(of:)", of: type) {
            let map = try session.space(of: type).map
            guard map.root.keepsHistory else {
                throw StoreError(
                    .misuse, "the class keeps no history; write override class var keepsHistory: Bool { true }",
                    className: map.name)
            }
            let history = HistoryTable(table: map.table)
            let filter: SQL = id == nil ? "" : " WHERE e.\"object\" = ?"
            let sql: SQL = """
                SELECT e."id", e."change", e."object", e."date", v."column", v."old", v."new" \
                FROM \(name: history.entries) e LEFT JOIN \(name: history.values) v ON v."entry" = e."id"\(filter) \
                ORDER BY e."id", v."column"
                """
            let statement = try session.connection.prepare(sql)
            defer { statement.finish() }
            if let id {
                statement.beginBinding()
                do throws(ValueFault) { try statement.bind(id, at: 1) } catch { throw StoreError.value(error) }
            }
            var found: [HistoryEntry<T>] = []
            var next: (Int64, HistoryEntry<T>.Change, Int64, Double)?
            var values: [(column: String, old: DatabaseValue, new: DatabaseValue)] = []
            func end() {
                if let next { found.append(HistoryEntry(next.0, next.1, next.2, next.3, values, sql: sql.text)) }
                values = []
            }
            while try statement.step() {
                var row: [DatabaseValue] = []
                do throws(ValueFault) {
                    for place in 0..<7 { row.append(try statement.column(Int32(place)).value()) }
                } catch { throw StoreError.value(error) }
                guard case .integer(let number) = row[0], case .text(let word) = row[1],
                    let change = HistoryEntry<T>.Change(rawValue: word), case .integer(let object) = row[2],
                    case .real(let date) = row[3]
                else {
                    throw StoreError(
                        .typeMismatch, "entry \(row[0]) of \(history.entries) is none of this library's",
                        className: map.name)
                }
                if next?.0 != number {
                    end()
                    next = (number, change, object, date)
                }
                if case .text(let column) = row[4] { values.append((column, row[5], row[6])) }
            }
            end()
            return found
        }
    }
}
