internal import StoreEngine

/// What a connection keeps of a schema while it works for another one.
struct PostgresSchemaState {
    /// The maximum number of statements that a connection keeps, for all schemas together.
    static let mostStatements = 200
    /// An empty cache.
    static var noStatements: StatementCache { StatementCache(limit: mostStatements) }

    let name: String?
    /// The server's number of the schema. A schema that was dropped and created again has another number.
    var number: String?
    /// The prepared statements. They belong to a schema, because the server prepares names for its tables.
    var statements = noStatements
    var idBlocks: [String: Range<Int64>] = [:]
    var ids = PostgresIDs()
}
