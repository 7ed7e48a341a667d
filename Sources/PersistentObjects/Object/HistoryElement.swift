internal import StoreEngine

/// What a change did to one element of a collection.
///
/// ```swift
/// for element in entry.elements { print(element.change, element.old ?? .null, element.new ?? .null) }
/// ```
///
/// The values are as the table of the collection held them: of an object its
/// id. `entry.old(\Person.tags)` gives the whole collection as the property
/// has it.
public final class HistoryElement: PersistentObject {
    /// What happened to an element.
    public enum Change: String, CaseIterable, Sendable {
        /// It came into the collection.
        case added
        /// Another value took its place.
        case changed
        /// It was taken out.
        case removed
    }

    /// The change that it is part of.
    @Indexed public internal(set) var entry: HistoryEntry? = nil
    /// The table of the collection: that of its class and the name of its property, as in `person_tags`.
    public internal(set) var table = ""
    /// What happened.
    public internal(set) var change = Change.added
    /// The key in a dictionary; of an array a number that grows from element to element, with gaps; nil in a set.
    public internal(set) var key: DatabaseValue?
    /// What it was before; nil for NULL, and of one that was added.
    public internal(set) var old: DatabaseValue?
    /// What it was afterwards; nil for NULL, and of one that was removed.
    public internal(set) var new: DatabaseValue?

    /// The table that has the elements of all entries.
    public override class var tableName: String { HistoryNames.elements }
    /// See `HistoryEntry.sendsEvents`.
    public override class var sendsEvents: Bool { false }

    /// Refuses to be saved: triggers write elements.
    public override func willSave() throws { throw HistoryEntry.refusal(of: self) }
}
