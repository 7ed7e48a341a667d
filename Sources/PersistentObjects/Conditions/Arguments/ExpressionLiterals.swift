internal import Foundation
internal import StoreEngine

// Expressions in stored SQL. Their values are written as literals, because a stored expression has no bound arguments.
extension QueryExpression {
    /// The reason why a value cannot be written as a literal.
    struct UnwritableArgument: Error {
        let reason: String
        init(_ reason: String) { self.reason = reason }
    }

    /// The arguments as literals.
    ///
    /// - Parameter writer: A writer that has already written the expression, so that it knows the form of each
    ///   argument.
    /// - Throws: `UnwritableArgument`, or `StoreError`.
    func literals(after writer: ExpressionWriter) throws -> [SQL] {
        let isUUID = words.contains { word in
            guard case .column(_, let path) = word, case .keyPath(let last)? = path.steps.last else { return false }
            let type = type(of: last).valueType
            return type == UUID.self || type == UUID?.self
        }
        return try arguments.enumerated().map { place, argument in
            guard case .value(let value) = argument else { throw UnwritableArgument("it refers to a single object") }
            let stored = try writer.keys[place].map { try $0.stored(value) } ?? value
            let type = LogicalType(ofLiteral: stored, isUUID: isUUID)
            guard let literal = writer.dialect.literal(stored, type) else {
                throw UnwritableArgument("one of its values cannot be written as an SQL literal")
            }
            return "\(literal: literal)"
        }
    }
}

extension LogicalType {
    /// The type that determines how a value is written as a literal.
    fileprivate init(ofLiteral value: DatabaseValue, isUUID: Bool) {
        self =
            switch value {
            case .null: .any
            case .integer: .integer
            case .real: .real
            case .text: .text
            case .blob(let bytes): isUUID && bytes.count == 16 ? .uuid : .blob
            }
    }
}
