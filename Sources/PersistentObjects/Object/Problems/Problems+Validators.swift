internal import Foundation
internal import StoreEngine

// Predefined rules. All rules except `requirePresence` accept nil; require the presence as well if needed.
extension Problems {
    /// Requires a property not to be nil.
    public mutating func requirePresence<Root, Value>(
        _ property: KeyPath<Root, Value?>, _ message: String = "is required"
    ) {
        guard let value = value(of: property) else { return }
        require(value.map { !Problems.isBlank($0) } ?? false, property, message)
    }

    /// Requires a string not to be blank, and a collection to have elements.
    public mutating func requirePresence<Root>(
        _ property: KeyPath<Root, some Collection>, _ message: String = "must not be empty"
    ) {
        guard let value = value(of: property) else { return }
        require(!Problems.isBlank(value), property, message)
    }

    private static func isBlank<Value>(_ value: Value) -> Bool {
        switch value {
        case let text as any StringProtocol: text.allSatisfy(\.isWhitespace)
        case let collection as any Collection: collection.isEmpty
        default: false
        }
    }

    /// Requires a string to have this many characters, or a collection this many elements.
    ///
    /// ```swift
    /// problems.require(\Person.lastName, count: 2...50)
    /// problems.require(\Person.tags, count: ...10)
    /// ```
    public mutating func require<Root>(
        _ property: KeyPath<Root, some Collection>, count: some RangeExpression<Int>, _ message: String? = nil
    ) {
        guard let value = value(of: property) else { return }
        checkCount(value, property, count, message)
    }

    /// Requires a string or a collection to have this many elements, if it is not nil.
    public mutating func require<Root, Value: Collection>(
        _ property: KeyPath<Root, Value?>, count: some RangeExpression<Int>, _ message: String? = nil
    ) {
        if let value = value(of: property) ?? nil { checkCount(value, property, count, message) }
    }

    private mutating func checkCount(
        _ value: some Collection, _ property: AnyKeyPath, _ range: some RangeExpression<Int>, _ message: String?
    ) {
        guard !range.contains(value.count) else { return }
        let unit = value is any StringProtocol ? "characters" : "elements"
        add(property, message: message ?? "must have \(Problems.words(of: range)) \(unit)")
    }

    /// Requires a value to be in a range.
    ///
    /// ```swift
    /// problems.require(\Person.age, in: 0...150)
    /// ```
    public mutating func require<Root, Value: Comparable>(
        _ property: KeyPath<Root, Value>, in range: some RangeExpression<Value>, _ message: String? = nil
    ) {
        guard let value = value(of: property), !range.contains(value) else { return }
        add(property, message: message ?? "must be \(Problems.words(of: range))")
    }

    /// Requires a value to be in a range, if it is not nil.
    public mutating func require<Root, Value: Comparable>(
        _ property: KeyPath<Root, Value?>, in range: some RangeExpression<Value>, _ message: String? = nil
    ) {
        guard let value = value(of: property) ?? nil, !range.contains(value) else { return }
        add(property, message: message ?? "must be \(Problems.words(of: range))")
    }

    /// Requires a value to be in a list of values.
    public mutating func require<Root, Value: Equatable>(
        _ property: KeyPath<Root, Value>, in values: [Value], _ message: String = "must be one of the allowed values"
    ) {
        if let value = value(of: property), !values.contains(value) { add(property, message: message) }
    }

    /// Requires a value to be in a list of values, if it is not nil.
    public mutating func require<Root, Value: Equatable>(
        _ property: KeyPath<Root, Value?>, in values: [Value], _ message: String = "must be one of the allowed values"
    ) {
        if let value = value(of: property) ?? nil, !values.contains(value) { add(property, message: message) }
    }

    /// Requires a value not to be in a list of values.
    public mutating func require<Root, Value: Equatable>(
        _ property: KeyPath<Root, Value>, notIn values: [Value], _ message: String = "is not allowed"
    ) {
        if let value = value(of: property), values.contains(value) { add(property, message: message) }
    }

    /// Requires a value not to be in a list of values, if it is not nil.
    public mutating func require<Root, Value: Equatable>(
        _ property: KeyPath<Root, Value?>, notIn values: [Value], _ message: String = "is not allowed"
    ) {
        if let value = value(of: property) ?? nil, values.contains(value) { add(property, message: message) }
    }

    private static func words<Bound>(of range: some RangeExpression<Bound>) -> String {
        switch range {
        case let range as ClosedRange<Bound>:
            range.lowerBound == range.upperBound
                ? "\(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
        case let range as Range<Bound>: "at least \(range.lowerBound) and less than \(range.upperBound)"
        case let range as PartialRangeFrom<Bound>: "at least \(range.lowerBound)"
        case let range as PartialRangeThrough<Bound>: "at most \(range.upperBound)"
        case let range as PartialRangeUpTo<Bound>: "less than \(range.upperBound)"
        default: "in the allowed range"
        }
    }
}
