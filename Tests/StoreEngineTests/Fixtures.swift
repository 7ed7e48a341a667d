import Foundation
import StoreEngine
import TestSupport
import Testing

/// Opens a database in memory and calls `body` with it; in the end no statement may be in use.
func withConnection<R>(
    sourceLocation: SourceLocation = #_sourceLocation, _ body: (SQLiteConnection) throws -> R
) throws -> R {
    let connection = try SQLiteConnection(.memory(name: UUID().uuidString), options: ConnectionOptions())
    let result = try body(connection)
    expect(connection.busyStatementCount, 0, sourceLocation: sourceLocation)
    return result
}

extension TemporaryStore {
    /// A connection to the file, without a store.
    func connect(_ options: ConnectionOptions = ConnectionOptions()) throws(StoreError) -> SQLiteConnection {
        try SQLiteConnection(.file(path: path), options: options)
    }
}

extension SQL {
    /// SQL that a test spells out.
    init(raw text: String) { self.init(RawSQL(text)) }
}

extension SQLiteConnection {
    /// Runs SQL that gives no rows.
    func run(_ text: String) throws(StoreError) { try execute(SQL(raw: text)) }

    /// The first value that SQL gives.
    func scalar(_ text: String) throws(StoreError) -> DatabaseValue? { try value(SQL(raw: text)) }

    /// What comes out of `SELECT ?` when a value goes in.
    func echo(_ value: DatabaseValue) throws -> DatabaseValue {
        let statement = try statement("SELECT ?")
        defer { statement.finish() }
        statement.beginBinding()
        try statement.bind(value, at: 1)
        _ = try statement.step()
        return try statement.column(0).value()
    }
}

/// The code of the error that `body` throws; nil where it throws none.
func code(of body: () throws -> Void) -> StoreError.Code? {
    do { try body() } catch let error as StoreError { return error.code } catch { return nil }
    return nil
}

/// The fault that `body` throws; nil where it throws none.
func fault(of body: () throws -> Void) -> ValueFault? {
    do { try body() } catch let fault as ValueFault { return fault } catch { return nil }
    return nil
}
