internal import StoreEngine

/// The tables in which a file records its contents. Names that start with `po_` are reserved.
enum RecordTables {
    static let classes = "po_class"
    static let properties = "po_property"
    static let history = "po_history"
    static let shapes = "po_shape"

    /// Creates the tables if they do not exist.
    static func create(_ connection: any Connection) throws {
        let dialect = connection.dialect
        let (integer, text) = (dialect.declaredType(.integer), dialect.declaredType(.text))
        let (real, blob) = (dialect.declaredType(.real), dialect.declaredType(.blob))
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS \(name: classes) (id \(dialect.numberedKey), name \(text) NOT NULL UNIQUE, \
            module \(text), table_name \(text) NOT NULL, superclass \(integer), identity \(text) NOT NULL, \
            former \(text), hash \(blob) NOT NULL)\(dialect.tableOptions)
            """)
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS \(name: properties) (class \(integer) NOT NULL, position \(integer) NOT NULL, \
            name \(text) NOT NULL, column_name \(text), kind \(text) NOT NULL, type \(text) NOT NULL, \
            target \(text), is_optional \(integer) NOT NULL, inverse \(text), delete_rule \(text), \
            initial \(text), cases \(text), flags \(integer) NOT NULL, former \(text), \
            PRIMARY KEY (class, position))\(dialect.keyedTableOptions)
            """)
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS \(name: history) (number \(dialect.numberedKey), time \(real) NOT NULL, \
            library \(text) NOT NULL, app \(text) NOT NULL, class \(text), sql \(text) NOT NULL)\(dialect.tableOptions)
            """)
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS \(name: shapes) (number \(dialect.numberedKey), class \(text) NOT NULL, \
            shape \(blob) NOT NULL, time \(real) NOT NULL, app \(text) NOT NULL)\(dialect.tableOptions)
            """)
    }
}
