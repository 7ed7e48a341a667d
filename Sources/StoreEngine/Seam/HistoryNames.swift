/// The tables with the history of all classes that keep one.
///
/// No user class can have these names. They are not part of the recorded changes for undo, because they are derived
/// from the other tables.
package enum HistoryNames {
    /// An entry for each change of a row.
    package static let entries = "po_history_entry"

    /// The changes of each entry, a row for each column.
    package static let values = "po_history_value"

    /// The changes of each entry in collections, a row for each element.
    package static let elements = "po_history_element"

    /// The class name that files contain for one of these tables, whatever the current module; nil for other tables.
    ///
    /// The name includes a module, because a user's class can have the same name.
    package static func className(of table: String) -> String? {
        switch table {
        case entries: "PersistentObjects.HistoryEntry"
        case values: "PersistentObjects.HistoryValue"
        case elements: "PersistentObjects.HistoryElement"
        default: nil
        }
    }

    /// Whether a table is one of these.
    package static func contains(_ name: String) -> Bool { name == entries || name == values || name == elements }
}
