internal import Foundation
internal import StoreEngine

// Expressions in stored SQL: values are written out there, because nothing binds them.
extension QueryExpression {
    /// Why a value cannot be written out.
    struct UnwritableArgument: Error {
        let reason: String
        init(_ reason: String) { self.reason = reason }
    }

    /// The arguments, written out.
    ///
    /// - Parameter writer: One that has written the expression: it knows what makes an argument what its column has.
    /// - Throws: `UnwritableArgument`, or `ValueFault`.
    func literals(after writer: ExpressionWriter) throws -> [SQL] {
        let isUUID = words.contains { word in
            guard case .column(_, let path) = word, case .keyPath(let last)? = path.steps.last else { return false }
            let type = type(of: last).valueType
            return type == UUID.self || type == UUID?.self
        }
        return try arguments.enumerated().map { place, argument in
            guard case .value(let value) = argument else { throw UnwritableArgument("it refers to a single object") }
            let stored = try writer.keys[place].map { form throws(ValueFault) in try form.stored(value) } ?? value
            let type = LogicalType(ofLiteral: stored, isUUID: isUUID)
            guard let literal = writer.dialect.literal(stored, type) else {
                throw UnwritableArgument("one of its values cannot be written as an SQL literal")
            }
            return "\(literal: literal)"
        }
    }
}

extension LogicalType {
    /// As what a value is written out.
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
