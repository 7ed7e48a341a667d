public import Testing

/// Expects two values to be equal, as `#expect(actual == expected)` does.
///
/// The compiler needs 8 ms for each `#expect`, because the macro splits its expression, and these tests have thousands
/// of comparisons. A comparison needs only its two sides.
///
/// Do not use it in a closure that also contains `#expect` or `#require` with a closure. Swift 6.3.1 can give the same
/// name to a closure in a macro and a closure in a plain statement, and then runs one of them for both:
///
/// ```swift
/// try run { _ in
///     try expect(ask { $0 > 10 }, true)
///     #expect(try ask { $0 > 11 } == false)  // asks whether it is greater than 10
///     try expect(ask { $0 > 12 }, false)
/// }
/// ```
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
