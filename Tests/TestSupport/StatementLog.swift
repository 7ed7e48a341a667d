package import StoreEngine

/// The SQL that a connection runs while `body` runs.
package func statements(of connection: any Connection, _ body: () throws -> Void) rethrows -> [String] {
    let log = Recorder<String>()
    connection.trace { log.add($0) }
    defer { connection.trace(nil) }
    try body()
    return log.all
}
