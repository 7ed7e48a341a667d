/// The tables in which triggers capture the changes of synced classes.
///
/// No user class can have these names. They are not part of the recorded changes for undo, because they are derived
/// from the other tables.
package enum CaptureNames {
    /// The captured tables, with numbers that are never reused.
    package static let tables = "po_sync_table"

    /// The captured columns of each table, with numbers that are never reused.
    package static let columns = "po_sync_column"

    /// The changed rows, with a bit for each changed column, and the changed elements of sets and dictionaries.
    package static let marks = "po_sync_mark"

    /// The elements of arrays that sync knows. Triggers move the entries with the elements.
    package static let places = "po_sync_place"

    /// The deleted elements of arrays that sync knew.
    package static let gone = "po_sync_gone"

    /// The sums of the changes of counters.
    package static let counts = "po_sync_count"

    /// The feature that a program must know to write a file with captured changes, because the undo of an earlier
    /// version would revert marks.
    package static let feature = "sync"

    /// The tables with changes.
    package static let changes = [marks, places, gone, counts]

    /// The encrypted values that were encrypted again, with the values that the devices exchange. It is created when it
    /// is first needed.
    package static let resealed = "po_sync_resealed"

    /// The tables with what devices know of the objects. Only the replica of a store creates them, except `resealed`.
    package static let states = [
        resealed,
        "po_sync_self", "po_sync_device", "po_sync_group", "po_sync_member", "po_sync_receipt", "po_sync_floor",
        "po_sync_number", "po_sync_term", "po_sync_object", "po_sync_chosen", "po_sync_shape",
    ]

    /// All tables that a file with captured changes has.
    package static let all = [tables, columns] + changes
}
