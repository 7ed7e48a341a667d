public import Foundation
internal import StoreEngine

/// A change to one row of a class with `keepsHistory`.
///
/// ```swift
/// for entry in try joe.history.where({ $0.change == .changed }).all() {
///     print(entry.date, entry.author ?? "unknown", entry.values.map(\.column))
/// }
/// ```
///
/// Entries are objects of the store and can be queried like all objects. Triggers write them. They cannot be saved,
/// only deleted.
public final class HistoryEntry: PersistentObject {
    /// The kind of change to a row.
    public enum Change: String, CaseIterable, Sendable {
        /// The row was inserted.
        case created
        /// Columns of the row were changed.
        case changed
        /// The row was deleted.
        case deleted
        /// The row already existed when the history began.
        case found
    }

    /// The table of the row, which is the table of the topmost class of its hierarchy.
    public internal(set) var table = ""
    /// The id of the row, which may no longer exist.
    public internal(set) var object: Int64 = 0
    /// The kind of change.
    public internal(set) var change = Change.created
    /// The time of the change, to the millisecond, by the clock of the machine that wrote it.
    public internal(set) var date = Date(timeIntervalSinceReferenceDate: 0)
    /// The `author` of the session that wrote the change.
    ///
    /// It is nil if the session had no author, for changes by other programs, and for rows that already existed.
    public internal(set) var author: String?
    /// A number that entries of the same transaction share.
    ///
    /// It is nil for rows that already existed, and in a file for changes by other programs.
    public internal(set) var transaction: Int64?
    /// The changes to each column.
    @Inverse(\HistoryValue.entry) public internal(set) var values: [HistoryValue]
    /// The changes to the elements of collections, in sequence.
    @Inverse(\HistoryElement.entry, onDelete: .cascade) public internal(set) var elements: [HistoryElement]

    /// The table that stores the entries of all classes.
    public override class var tableName: String { HistoryNames.entries }
    /// `false`: entries send no events, because subscribers already receive the changes themselves.
    public override class var sendsEvents: Bool { false }
    /// The index for the entries of one row, the most frequent query.
    public override class var indexes: [Index] { [Index(\HistoryEntry.table, \HistoryEntry.object)] }

    /// Throws, because only triggers write entries.
    public override func willSave() throws { throw HistoryEntry.refusal(of: self) }

    static func refusal(of object: PersistentObject) -> StoreError {
        StoreError(
            .readOnly, "The history is written by triggers, so its entries cannot be saved. Change the object itself",
            className: "\(type(of: object))", rowID: object.id)
    }
}

/// A change to one column of a row.
///
/// The values are as the column stored them. `entry.old(\Person.name)` returns the property's value.
public final class HistoryValue: PersistentObject {
    /// The history entry that the change is part of.
    public internal(set) var entry: HistoryEntry? = nil
    /// The name of the column.
    public internal(set) var column = ""
    /// The old value; nil for NULL, and if there was no row.
    public internal(set) var old: DatabaseValue?
    /// The new value; nil for NULL, and if the row no longer exists.
    public internal(set) var new: DatabaseValue?

    /// The view of the values of all entries.
    public override class var tableName: String { HistoryNames.values }
    /// A view, because the values are stored in the entries.
    public override class var origin: TableOrigin { .existing(id: "id") }
    /// `true`: only triggers write values.
    public override class var isReadOnly: Bool { true }
    /// See `HistoryEntry.sendsEvents`.
    public override class var sendsEvents: Bool { false }

    /// Throws, because only triggers write values.
    public override func willSave() throws { throw HistoryEntry.refusal(of: self) }
}

extension DatabaseValue: PersistentValue {
    /// Creates the value itself.
    ///
    /// A property of this type holds any value that its column stores, in a column of type `ANY`.
    public init(databaseValue: DatabaseValue) { self = databaseValue }

    /// The value itself; `null` cannot be stored, use nil instead.
    public var databaseValue: DatabaseValue { self }
}
