internal import Foundation
internal import StoreEngine

/// Any other `Codable` value: a blob of JSON with sorted keys, so that equal values give equal bytes.
enum CodableForm<Value: Codable>: ColumnForm {
    static var columnType: ColumnType { .blob }
    static var encodesByUser: Bool { true }

    static func read(_ column: Cell) throws(ValueFault) -> Value {
        try decode(try column.withBlob { [UInt8]($0) })
    }

    static func decode(_ value: DatabaseValue) throws(ValueFault) -> Value {
        guard case .blob(let bytes) = value else { throw .typeMismatch(expected: "BLOB", found: value.storageClass) }
        return try decode(bytes)
    }

    private static func decode(_ bytes: [UInt8]) throws(ValueFault) -> Value {
        if let value = PlainJSONDecoder.decode(Value.self, from: bytes) { return value }
        do { return try JSONDecoder().decode(Value.self, from: Data(bytes)) } catch {
            throw .rejected(type: TypeSpelling.of(Value.self), reason: CodableForm.summary(of: error))
        }
    }

    static func bind(_ value: Value, to statement: Statement, at index: Int32) throws(ValueFault) {
        try json(value).bind(to: statement, at: index)
    }

    static func encode(_ value: Value) throws(ValueFault) -> DatabaseValue { .blob([UInt8](try json(value))) }

    private static func json(_ value: Value) throws(ValueFault) -> Data {
        do { return try CanonicalJSON.encode(value) } catch {
            throw .notStorable(
                reason: "\(TypeSpelling.of(Value.self)) cannot be encoded as JSON: \(CodableForm.summary(of: error))")
        }
    }

    /// The cause without the value itself, which Foundation includes in its descriptions.
    private static func summary(of error: any Error) -> String {
        func path(_ context: [any CodingKey]) -> String {
            context.isEmpty ? "" : " at \(context.map(\.stringValue).joined(separator: "."))"
        }
        return switch error {
        case DecodingError.typeMismatch(let type, let context):
            "not a \(TypeSpelling.of(type))\(path(context.codingPath))"
        case DecodingError.valueNotFound(let type, let context):
            "no \(TypeSpelling.of(type))\(path(context.codingPath))"
        case DecodingError.keyNotFound(let key, let context):
            "no key \(key.stringValue)\(path(context.codingPath))"
        case DecodingError.dataCorrupted(let context): "the JSON is not valid\(path(context.codingPath))"
        case EncodingError.invalidValue(_, let context):
            "a value cannot be represented in JSON\(path(context.codingPath))"
        case let fault as ValueFault: "\(fault)"
        default: "\(type(of: error))"
        }
    }

    static func converted(_ value: Any?) -> Value? { value as? Value }

    static var samples: [Value] {
        if let count = MetadataKind.caseCount(Value.self) {
            return EnumerationMemory.values(Value.self, caseCount: count)
        }
        var seen: Set<DatabaseValue> = []
        func distinct(_ values: some Sequence<Value>) -> [Value] {
            values.filter { value in (try? encode(value)).map { seen.insert($0).inserted } ?? false }
        }
        // A structure decodes its fields from samples. Other types may also accept one of the documents below.
        let made = MetadataKind(Value.self) == .structure ? distinct(JSONProbe.values(of: Value.self)) : []
        if made.count > 1 { return made }
        let candidates = [
            "[]", "{}", "null", "\" aZé \"", "113", "57.5", "true", "[\" aZé \"]", "[113]", "[57.5]", "[true]",
            "{\"a\":\" aZé \"}", "{\"a\":113}", "{\"a\":57.5}", "{\"a\":true}", "[[]]", "[{}]", "[1,2]", "[1,2,3]",
        ]
        return made + distinct(candidates.lazy.compactMap { try? decode(Array($0.utf8)) })
    }
}
