import PersistentObjects

/// A problem that a run has found.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// Throws the problem if the condition is false.
func require(_ condition: Bool, _ problem: @autoclosure () -> String) throws {
    if !condition { throw Failure(problem()) }
}

/// Returns the value, or throws the problem if it is nil.
func found<T>(_ value: T?, _ problem: @autoclosure () -> String) throws -> T {
    guard let value else { throw Failure(problem()) }
    return value
}

/// Throws an error if SQLite's integrity check finds a problem in the file.
func requireIntegrity(_ session: Session) throws {
    let problems = try session.rows("PRAGMA integrity_check").map { row in
        try row.value("integrity_check") as String
    }
    try require(problems == ["ok"], "integrity_check: \(problems)")
}
