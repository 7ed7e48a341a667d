public import Testing

/// Expects two values to be equal, as `#expect(actual == expected)` does.
///
/// The compiler needs 8 ms for each `#expect`, which takes its expression apart, and these tests compare thousands of
/// times. A comparison needs no more than its two sides.
///
/// ```swift
/// try expect(Person.count(), 3)
/// ```
public func expect<Value: Equatable>(
    _ actual: Value, _ expected: Value, _ comment: @autoclosure () -> Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    guard actual != expected else { return }
    let values = "\(String(reflecting: actual)) is not \(String(reflecting: expected))"
    Issue.record("\(values)\(comment().map { ": \($0)" } ?? "")", sourceLocation: sourceLocation)
}
