internal import Foundation
internal import StoreEngine

/// A parsed JSON document.
enum JSONTree: Codable, Equatable {
    case object([String: JSONTree])
    case list([JSONTree])
    case text(String)
    case integer(Int64)
    case real(Double)
    case bool(Bool)
    case other

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let bool = try? container.decode(Bool.self) {
            self = .bool(bool)
        } else if let number = try? container.decode(Int64.self) {
            self = .integer(number)
        } else if let number = try? container.decode(Double.self) {
            self = .real(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let object = try? container.decode([String: JSONTree].self) {
            self = .object(object)
        } else if let list = try? container.decode([JSONTree].self) {
            self = .list(list)
        } else {
            self = .other
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .object(let members): try container.encode(members)
        case .list(let elements): try container.encode(elements)
        case .text(let text): try container.encode(text)
        case .integer(let number): try container.encode(number)
        case .real(let number): try container.encode(number)
        case .bool(let bool): try container.encode(bool)
        case .other: try container.encodeNil()
        }
    }

    static func value<T: Encodable>(of value: T, at keys: [String]) throws -> JSONTree? {
        var tree = try JSONDecoder().decode(JSONTree.self, from: try CanonicalJSON.encode(value))
        for key in keys {
            guard case .object(let members) = tree, let next = members[key] else { return nil }
            tree = next
        }
        return tree
    }

    /// Whether a column of the value stores what `po_json` reads here.
    func isStored(as value: DatabaseValue) -> Bool {
        switch (self, value) {
        case (.text(let text), .text(let other)): text.utf8.elementsEqual(other.utf8)
        case (.integer(let number), .integer(let other)): number == other
        case (.integer(let number), .real(let other)): Double(number) == other
        case (.real(let number), .real(let other)): number == other
        case (.bool(let bool), .integer(let other)): other == (bool ? 1 : 0)
        default: false
        }
    }

    /// Whether the documents are equal; lists are compared without regard to order if `ordered` is false.
    func isSame(as other: JSONTree, ordered: Bool) -> Bool {
        guard !ordered, case .list(let elements) = self, case .list(var others) = other else { return self == other }
        for element in elements {
            guard let place = others.firstIndex(of: element) else { return false }
            others.remove(at: place)
        }
        return others.isEmpty
    }
}
