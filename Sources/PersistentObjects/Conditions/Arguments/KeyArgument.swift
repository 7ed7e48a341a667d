internal import Foundation
internal import StoreEngine

/// An argument that is compared with a key. It is converted to the stored form of the key's column.
struct KeyArgument: ArgumentForm {
    enum Use {
        /// The argument may be any string. A string that cannot be a key equals no key.
        case equality
        /// The argument must be a valid key, because other strings have no position in the order of keys.
        case order
        /// The elements of a list; for `isTagged` see `ListEncoding`.
        case list(isTagged: Bool)
    }

    let codec: PropertyCodec
    let use: Use

    func stored(_ argument: DatabaseValue) throws(ValueFault) -> DatabaseValue {
        guard case .text(let text) = argument else { return argument }
        if case .list(let isTagged) = use { return .text(try list(text, isTagged)) }
        let value = try codec.encodeArgument(text) ?? .text(text)
        if case .order = use, codec.columnType == .blob, case .text = value {
            throw .notStorable(
                reason: "the string is not a UUID, and UUID keys have no order relative to other strings")
        }
        return value
    }

    private func list(_ text: String, _ isTagged: Bool) throws(ValueFault) -> String {
        let values = try ListArgument.textsAndBlobs(of: text, isTagged: isTagged).map { (value) throws(ValueFault) in
            guard case .text(let text) = value else { return value }
            return try codec.encodeArgument(text) ?? value
        }
        return ListArgument.taggedJSON(of: values)
    }
}

extension QueryOperand {
    /// Whether the operand is a key that is stored as bytes.
    var isBytesKey: Bool { key?.columnType == .blob }

    /// The value as users see it. A key that is stored as bytes becomes its string. A decimal number becomes its string
    /// in SQLite.
    func seen(_ dialect: Dialect) -> QueryOperand {
        if let decimalScale, let codec = QueryArguments.codec(for: Decimal?.self) {
            return replaced(by: dialect.scaledDecimal(sql, decimalScale), codec)
        }
        if isDecimalColumn, let codec { return replaced(by: dialect.decimalText(sql), codec) }
        guard isBytesKey, let text = QueryArguments.codec(for: String?.self) else { return self }
        return replaced(by: dialect.uuidText(sql), text)
    }
}
