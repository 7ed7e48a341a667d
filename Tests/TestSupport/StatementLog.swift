public import PersistentObjects
internal import PersistentObjectsTesting
package import StoreEngine
public import Testing

/// The SQL that a connection runs while `body` runs.
package func statements(of connection: any Connection, _ body: () throws -> Void) rethrows -> [String] {
    let log = Recorder<String>()
    connection.trace { log.add($0) }
    defer { connection.trace(nil) }
    try body()
    return log.all
}

/// The SQL that a session runs while `body` runs.
public func statements(
    of session: Session, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) rethrows -> [String] {
    var log: StatementLog?
    do { log = try StatementLog(session) } catch { Issue.record(error, sourceLocation: sourceLocation) }
    try body()
    return log?.statements ?? []
}
