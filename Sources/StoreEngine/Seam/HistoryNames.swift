/// The tables with the history of all classes that keep one.
///
/// No user class can have these names. They are not part of the recorded changes for undo, because they are derived
/// from the other tables.
package enum HistoryNames {
    /// An entry for each change of a row, with the old and new values of its first columns.
    package static let entries = "po_history_entry"

    /// A view of the changes of each entry, a row for each column.
    package static let values = "po_history_value"

    /// The changes that an entry has no room for, a row for each column.
    package static let extras = "po_history_extra"

    /// The changes of each entry in collections, a row for each element.
    package static let elements = "po_history_element"

    /// The table with the columns to which the values in entries belong. It describes the entries, and is not part of
    /// the history.
    package static let columns = "po_history_column"

    /// The feature that a program must know to use a file whose entries contain values.
    package static let feature = "history with values in its entries"

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

    /// The name of a trigger that writes the history of a table.
    package static func trigger(_ table: String, _ event: String) -> String { "\(table).history.\(event)" }

    /// Whether a table is one of these, and contains history.
    package static func contains(_ name: String) -> Bool {
        name == entries || name == values || name == extras || name == elements
    }
}
