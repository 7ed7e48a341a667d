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

    /// The column of a class's table whose values are in each place of an entry. It describes the entries, and is not
    /// part of the history.
    package static let columns = "po_history_column"

    /// The feature that a program must know to use a file whose entries contain values.
    package static let feature = "history with values in its entries"

    /// The name that files have for the class of one of these tables, whichever module the class is in by now; nil for
    /// other tables. A user's class can have the same name without a module.
    package static func className(of table: String) -> String? {
        switch table {
        case entries: "PersistentObjects.HistoryEntry"
        case values: "PersistentObjects.HistoryValue"
        case elements: "PersistentObjects.HistoryElement"
        default: nil
        }
    }

    /// Whether a table is one of these, and contains history.
    package static func contains(_ name: String) -> Bool {
        name == entries || name == values || name == extras || name == elements
    }
}
