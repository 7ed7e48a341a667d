public import Foundation
internal import StoreEngine

/// What one change did to one row of a class with `keepsHistory`.
///
/// ```swift
/// for entry in try joe.history.where({ $0.change == .changed }).all() {
///     print(entry.date, entry.author ?? "unknown", entry.values.map(\.column))
/// }
/// ```
///
/// Entries are objects of the store, so whatever queries can do they can do
/// with entries. Triggers write them; they cannot be saved, only deleted.
public final class HistoryEntry: PersistentObject {
    /// What happened to a row.
    public enum Change: String, CaseIterable, Sendable {
        /// The row was inserted.
        case created
        /// Columns of it were changed.
        case changed
        /// The row was deleted.
        case deleted
        /// The row was there when the history began.
        case found
    }

    /// The table of the row: that of the topmost class of its hierarchy.
    public internal(set) var table = ""
    /// The id of the row, which may be there no longer.
    public internal(set) var object: Int64 = 0
    /// What happened.
    public internal(set) var change = Change.created
    /// When, to the millisecond, by the clock of the machine that wrote.
    public internal(set) var date = Date(timeIntervalSinceReferenceDate: 0)
    /// Who: the `author` of the session that wrote; nil if it had none, of changes by other programs, and of rows that were
    /// found.
    public internal(set) var author: String?
    /// What entries of one transaction have in common; nil for changes by other programs, and for rows that were found.
    public internal(set) var transaction: Int64?
    /// What the change did to each column.
    @Inverse(\HistoryValue.entry, onDelete: .cascade) public internal(set) var values: [HistoryValue]
    /// What the change did to the elements of collections, one after the other.
    @Inverse(\HistoryElement.entry, onDelete: .cascade) public internal(set) var elements: [HistoryElement]

    /// The table that has the entries of all classes.
    public override class var tableName: String { HistoryNames.entries }
    /// Entries are no news of their own: those who subscribe hear of the changes themselves.
    public override class var sendsEvents: Bool { false }
    /// The entries of one row are asked for most.
    public override class var indexes: [Index] { [Index(\HistoryEntry.table, \HistoryEntry.object)] }

    /// Refuses to be saved: triggers write entries.
    public override func willSave() throws { throw HistoryEntry.refusal(of: self) }

    static func refusal(of object: PersistentObject) -> StoreError {
        StoreError(
            .readOnly, "The history is written by triggers, so its entries cannot be saved. Change the object itself",
            className: "\(type(of: object))", rowID: object.id)
    }
}

/// What a change did to one column of a row.
///
/// The values are as the column held them. `entry.old(\Person.name)` gives them
/// as the property has them.
public final class HistoryValue: PersistentObject {
    /// The change.
    @Indexed public internal(set) var entry: HistoryEntry? = nil
    /// The name of the column.
    public internal(set) var column = ""
    /// What it held before; nil for NULL, and if there was no row.
    public internal(set) var old: DatabaseValue?
    /// What it held afterwards; nil for NULL, and if there was no row any more.
    public internal(set) var new: DatabaseValue?

    /// The table that has the values of all entries.
    public override class var tableName: String { HistoryNames.values }
    /// See `HistoryEntry.sendsEvents`.
    public override class var sendsEvents: Bool { false }

    /// Refuses to be saved: triggers write values.
    public override func willSave() throws { throw HistoryEntry.refusal(of: self) }
}

extension DatabaseValue: PersistentValue {
    /// The value itself: a property of this type has whatever its column holds, in a column of the type `ANY`.
    public init(databaseValue: DatabaseValue) { self = databaseValue }

    /// The value itself; `null` cannot be stored, which is what nil is for.
    public var databaseValue: DatabaseValue { self }
}
