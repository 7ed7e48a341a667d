internal import Foundation
internal import PersistentObjects
internal import StoreEngine

/// The elements of a collection in one form for files and servers, so that they can be compared.
struct ComparedElements {
    private let property: PropertyDescription

    init(_ property: PropertyDescription) { self.property = property }

    // MARK: SQL

    /// The elements of an owner as a JSON array. The elements of a dictionary are arrays of a key and a value.
    ///
    /// - Parameter owner: The id of the owner.
    func sql(of table: String, owner: SQL, onServer: Bool) -> SQL {
        let value = form("\(name: property.target == nil ? "value" : "value_id")", onServer, property.elementType)
        let isDictionary = property.kind == .dictionary
        let pair: SQL = onServer ? "json_build_array" : "json_array"
        let key = form("\"key\"", onServer, property.parts.first)
        let element: SQL = isDictionary ? "\(pair)(\(key), \(value))" : value
        // Watching compares the JSON of one place, for which any order that stays is good enough.
        let order: SQL = property.kind == .array ? "\"position\"" : "1"
        // Nested JSON that comes from a subquery would become a string.
        let all: SQL = onServer ? "json_agg(e)" : isDictionary ? "json_group_array(json(e))" : "json_group_array(e)"
        let sorted: SQL = isDictionary ? "\"key\"" : order
        return """
            (SELECT \(all)\(onServer ? "::text" : "") FROM (SELECT \(element) AS e FROM \(name: table) \
            WHERE "owner_id" = \(owner) ORDER BY \(sorted)) AS elements)
            """
    }

    /// A value that JSON keeps exactly: bytes as on a server, and numbers of a file with all digits.
    private func form(_ value: SQL, _ onServer: Bool, _ type: String?) -> SQL {
        guard onServer else {
            return """
                CASE typeof(\(value)) WHEN 'blob' THEN '\\x' || hex(\(value)) \
                WHEN 'real' THEN printf('%!.17g', \(value)) ELSE \(value) END
                """
        }
        return type == "Decimal" ? "trim_scale(\(value)::numeric)::text" : value
    }

    // MARK: Text

    /// The elements of the JSON array, as text: `'a', 'b'`. Sets and dictionaries are sorted. Nil if there are none.
    func text(_ json: String) -> String? {
        guard let value = try? JSONReader.value(of: ArraySlice(json.utf8)), case .list(let list) = value else {
            return json
        }
        guard property.kind != .dictionary else {
            let pairs = list.map { pair -> (key: DatabaseValue, value: DatabaseValue) in
                guard case .list(let parts) = pair, parts.count == 2 else { return (.null, .null) }
                return (element(parts[0], property.keyColumnType), element(parts[1], property.columnType))
            }
            return joined(pairs.sorted { $0.key.precedes($1.key) }.map { "\(quoted($0.key)): \(quoted($0.value))" })
        }
        let elements = list.map { element($0, property.columnType) }
        return joined(
            (property.kind == .array ? elements : elements.sorted { $0.precedes($1) }).map { quoted($0) })
    }

    private func joined(_ texts: [String]) -> String? { texts.isEmpty ? nil : texts.joined(separator: ", ") }

    private func element(_ json: JSONValue, _ column: String?) -> DatabaseValue {
        switch json {
        case .null: .null
        case .bool(let isTrue): .integer(isTrue ? 1 : 0)
        case .number(let text), .text(let text):
            switch column {
            case "REAL": Double(text).map { .real($0) } ?? .text(text)
            case "BLOB": bytes(text).map { .blob($0) } ?? .text(text)
            default: number(json) ?? .text(text)
            }
        case .list, .object: .text(json.shown)
        }
    }

    private func number(_ json: JSONValue) -> DatabaseValue? {
        guard case .number(let text) = json else { return nil }
        return Int64(text).map { .integer($0) } ?? Double(text).map { .real($0) }
    }

    /// The bytes of a string such as `\x00ff`, or of a UUID.
    private func bytes(_ text: String) -> [UInt8]? {
        let digits = text.hasPrefix("\\x") ? text.dropFirst(2) : text.filter { $0 != "-" }[...]
        return Hexadecimal.bytes(digits.utf8)
    }

    private func quoted(_ value: DatabaseValue) -> String {
        switch value {
        case .null: "NULL"
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .text(let text): "'\(text.replacing("'", with: "''"))'"
        case .blob(let bytes): "x'\(ValueText.hexadecimal(bytes))'"
        }
    }
}
