/// How the columns of a class are called whose properties do not name them.
public enum ColumnNaming: Sendable, Hashable {
    /// In snake case: `unitPrice` is in the column `unit_price`.
    case snakeCase
    /// As the property: `unitPrice` is in the column `unitPrice`. SQLite does not tell capitals of ASCII letters, so
    /// this is also for columns such as `UnitPrice`.
    case verbatim
}
