internal import Foundation
internal import StoreEngine

/// A list inside a `Codable` value, in an expression.
struct JSONListOperand {
    let text: JSONListText
    let element: PropertyCodec
    /// The row that contains the value.
    let row: QueryScope.Row
    /// The list's name in errors.
    let name: String

    var refusal: QueryError {
        .notExpressible(
            "\(name) is a list in a Codable value, which supports only contains, isEmpty, count and == nil. "
                + "Declare a separate property for the data that the query needs")
    }

    /// The number of elements. A nil list has no elements.
    func count(_ dialect: Dialect) -> QueryOperand {
        QueryOperand("coalesce(\(dialect.jsonCount(text)), 0)", mayBeNull: false)
    }

    func isEmpty(_ isEmpty: Bool, _ dialect: Dialect) -> QueryOperand {
        // If the owner is missing, its list is not empty but absent.
        let owner: SQL = isEmpty && row.mayBeMissing ? "\(column: "id", of: row.alias) IS NOT NULL AND " : ""
        let count = count(dialect).sql
        return QueryOperand(
            isEmpty ? "\(owner)\(count) = 0" : "\(count) > 0", mayBeNull: false, needed: row.chain)
    }

    func contains(_ element: SQL, _ dialect: Dialect) -> QueryOperand {
        QueryOperand(dialect.jsonContains(text, element), mayBeNull: false, needed: row.chain)
    }

    func isNil(_ isNil: Bool, _ dialect: Dialect) -> QueryOperand {
        let count = dialect.jsonCount(text)
        return QueryOperand(
            isNil ? "\(count) IS NULL" : "\(count) IS NOT NULL", mayBeNull: false, needed: isNil ? [] : row.chain)
    }
}

/// An argument that is compared with elements of a JSON list. It is converted to JSON.
struct JSONElementArgument: ArgumentForm {
    let codec: PropertyCodec

    func stored(_ argument: DatabaseValue) throws(ValueFault) -> DatabaseValue {
        guard let value = try codec.boxed(argument) else { return .text("null") }
        guard let encodable = value as? any Encodable, let json = try? CanonicalJSON.encode(encodable) else {
            throw .notStorable(reason: "a value of type \(TypeSpelling.of(codec.valueType)) cannot be encoded as JSON")
        }
        return .text(String(decoding: json, as: UTF8.self))
    }
}
