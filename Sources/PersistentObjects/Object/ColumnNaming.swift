/// The naming of columns that have no explicit name.
public enum ColumnNaming: Sendable, Hashable {
    /// Snake case: `unitPrice` is stored in the column `unit_price`.
    case snakeCase
    /// The name of the property: `unitPrice` is stored in the column `unitPrice`.
    ///
    /// SQLite ignores the case of ASCII letters in column names, so this also fits columns such as `UnitPrice`.
    case verbatim
}
