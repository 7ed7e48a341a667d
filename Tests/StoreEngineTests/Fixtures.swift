import Foundation
import StoreEngine
import TestSupport
import Testing

/// Opens a database in memory and calls `body` with it. Afterwards no statement may be in use.
func withConnection<R>(
    sourceLocation: SourceLocation = #_sourceLocation, _ body: (SQLiteConnection) throws -> R
) throws -> R {
    let connection = try SQLiteConnection(.memory(name: UUID().uuidString), options: ConnectionOptions())
    let result = try body(connection)
    expect(connection.busyStatementCount, 0, sourceLocation: sourceLocation)
    return result
}

/// Opens a connection to a database, whose file is encrypted with `PO_SEALED=1`.
func openConnection(
    _ location: StoreLocation, _ options: ConnectionOptions = ConnectionOptions(), expecting: FileIdentity? = nil
) throws(StoreError) -> SQLiteConnection {
    try SQLiteConnection(location, options: TestEngine.options(options, at: location), expecting: expecting)
}

extension TemporaryStore {
    /// Opens a connection to the file, without a store.
    func connect(_ options: ConnectionOptions = ConnectionOptions()) throws(StoreError) -> SQLiteConnection {
        try openConnection(.file(path: path), options)
    }
}

extension SQL {
    /// Creates SQL from a test's literal text.
    init(raw text: String) { self.init(RawSQL(text)) }
}

extension SQLiteConnection {
    /// Runs SQL that returns no rows.
    func run(_ text: String) throws(StoreError) { try execute(SQL(raw: text)) }

    /// Returns the first value of the SQL's result.
    func scalar(_ text: String) throws(StoreError) -> DatabaseValue? { try value(SQL(raw: text)) }

    /// Returns the result of `SELECT ?` for a value.
    func echo(_ value: DatabaseValue) throws -> DatabaseValue {
        let statement = try statement("SELECT ?")
        defer { statement.finish() }
        statement.beginBinding()
        try statement.bind(value, at: 1)
        _ = try statement.step()
        return try statement.column(0).value()
    }
}

/// The code of the error that `body` throws, or nil if it throws none.
func code(of body: () throws -> Void) -> StoreError.Code? {
    do { try body() } catch let error as StoreError { return error.code } catch { return nil }
    return nil
}

/// The fault that `body` throws, or nil if it throws none.
func fault(of body: () throws -> Void) -> ValueFault? {
    do { try body() } catch let fault as ValueFault { return fault } catch { return nil }
    return nil
}
