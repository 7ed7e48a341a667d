import PersistentObjects

/// What a run has found wrong.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// Throws what is wrong unless the condition holds.
func require(_ condition: Bool, _ problem: @autoclosure () -> String) throws {
    if !condition { throw Failure(problem()) }
}

/// The value, or a failure where there is none.
func found<T>(_ value: T?, _ problem: @autoclosure () -> String) throws -> T {
    guard let value else { throw Failure(problem()) }
    return value
}

/// Throws what SQLite finds wrong with the file.
func requireIntegrity(_ session: Session) throws {
    let problems = try session.rows("PRAGMA integrity_check").map { row in
        try row.value("integrity_check") as String
    }
    try require(problems == ["ok"], "integrity_check: \(problems)")
}
