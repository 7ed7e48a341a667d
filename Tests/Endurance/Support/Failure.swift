/// What a run has found wrong.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// Throws what is wrong unless the condition holds.
func require(_ condition: Bool, _ problem: @autoclosure () -> String) throws {
    if !condition { throw Failure(problem()) }
}
