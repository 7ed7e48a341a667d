public import Foundation
internal import StoreEngine

/// What one change did to one row of a class with `keepsHistory`.
///
/// ```swift
/// for entry in try joe.history() { print(entry.change, entry.date, entry.new["last_name"] ?? .null) }
/// ```
public struct HistoryEntry<Object: Persistent>: Sendable {
    /// What happened to a row.
    public enum Change: String, Sendable {
        /// The row was inserted.
        case created
        /// Columns of it were changed.
        case changed
        /// The row was deleted.
        case deleted
        /// The row was there when the history began.
        case found
    }

    /// Counts the entries of a hierarchy, in the order of the changes.
    public let number: Int64
    /// What happened.
    public let change: Change
    /// Whose row it was; it may be there no longer.
    public let object: PersistentID<Object>
    /// When, by the clock of the machine that wrote.
    public let date: Date
    /// What the changed columns held before, by their names at that time.
    public let old: Row
    /// What they held afterwards.
    public let new: Row

    init(
        _ number: Int64, _ change: Change, _ object: Int64, _ date: Double,
        _ values: [(column: String, old: DatabaseValue, new: DatabaseValue)], sql: String
    ) {
        self.number = number
        self.change = change
        self.object = PersistentID(object)
        self.date = Date(timeIntervalSince1970: date)
        let columns = Row.Columns(values.map(\.column), sql: sql)
        old = Row(columns, values.map(\.old))
        new = Row(columns, values.map(\.new))
    }
}
