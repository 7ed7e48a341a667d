internal import StoreEngine

/// A change to one element of a collection.
///
/// ```swift
/// for element in entry.elements { print(element.change, element.old ?? .null, element.new ?? .null) }
/// ```
///
/// The values are as the collection's table stored them; an object is represented by its id. `entry.old(\Person.tags)`
/// returns the whole collection as the property's value.
public final class HistoryElement: PersistentObject {
    /// The kind of change to an element.
    public enum Change: String, CaseIterable, Sendable {
        /// The element was added to the collection.
        case added
        /// The element was replaced with another value.
        case changed
        /// The element was removed.
        case removed
    }

    /// The history entry that the change is part of.
    @Indexed public internal(set) var entry: HistoryEntry? = nil
    /// The table of the collection, named after the class's table and the property, as in `person_tags`.
    public internal(set) var table = ""
    /// The kind of change.
    public internal(set) var change = Change.added
    /// The key in a dictionary, or the position in an array; nil in a set.
    ///
    /// Array positions are numbers that increase from element to element, with gaps.
    public internal(set) var key: DatabaseValue?
    /// The old value; nil for NULL, and for an added element.
    public internal(set) var old: DatabaseValue?
    /// The new value; nil for NULL, and for a removed element.
    public internal(set) var new: DatabaseValue?

    /// The table that stores the elements of all entries.
    public override class var tableName: String { HistoryNames.elements }
    /// See `HistoryEntry.sendsEvents`.
    public override class var sendsEvents: Bool { false }

    /// Throws, because only triggers write elements.
    public override func willSave() throws { throw HistoryEntry.refusal(of: self) }
}
