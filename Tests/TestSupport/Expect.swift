public import Testing

/// Expects two values to be equal, as `#expect(actual == expected)` does.
///
/// The compiler needs 8 ms for each `#expect`, which takes its expression apart, and these tests compare thousands of
/// times. A comparison needs no more than its two sides.
///
/// Do not use it in a closure that also contains `#expect` or `#require` with a closure. Swift 6.3.1 can give a closure in
/// a macro and one in a plain statement the same name, and then runs one of them for both:
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
