internal import Foundation

/// JSON that is identical for equal values: sorted keys, and the entries of sets and dictionaries sorted by their
/// bytes.
///
/// An equal set in another order is not a change, and a finder finds a set by its blob. A set inside a structure is
/// encoded by the structure and cannot be sorted here. If such a set is rebuilt in another order, it is written again.
package enum CanonicalJSON {
    static func encode<T: Encodable>(_ value: T) throws -> Data {
        if let container = value as? any UnorderedContainer, type(of: container).isUnordered {
            return try container.canonicalJSON()
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        encoder.userInfo = ofColumn
        return try encoder.encode(value)
    }

    private static let column = CodingUserInfoKey(rawValue: "PersistentObjects.column")

    /// Signals to objects that a column is being encoded, which cannot contain objects. Created once, because a save
    /// encodes each value that it compares.
    private static let ofColumn: [CodingUserInfoKey: any Sendable] = column.map { [$0: true] } ?? [:]

    /// Whether an encoder with this user info encodes a column.
    package static func isOfColumn(_ userInfo: [CodingUserInfoKey: Any]) -> Bool {
        column.flatMap { userInfo[$0] } != nil
    }

    fileprivate static func isUnordered(_ type: Any.Type) -> Bool {
        (type as? any UnorderedContainer.Type)?.isUnordered ?? false
    }

    fileprivate static func array(_ entries: [Data]) -> Data { list("[", entries, "]") }

    fileprivate static func object(_ entries: [Data]) -> Data { list("{", entries, "}") }

    private static func list(_ start: String, _ entries: [Data], _ end: String) -> Data {
        Data(start.utf8) + entries.joined(separator: Data(",".utf8)) + Data(end.utf8)
    }

    fileprivate static func inOrderOfBytes(_ entries: [Data]) -> [Data] {
        entries.sorted { $0.lexicographicallyPrecedes($1) }
    }
}

/// A container whose default JSON may have entries in an order that differs between equal containers.
private protocol UnorderedContainer {
    static var isUnordered: Bool { get }
    func canonicalJSON() throws -> Data
}

extension Set: UnorderedContainer where Element: Encodable {
    fileprivate static var isUnordered: Bool { true }

    fileprivate func canonicalJSON() throws -> Data {
        CanonicalJSON.array(CanonicalJSON.inOrderOfBytes(try map { try CanonicalJSON.encode($0) }))
    }
}

extension Dictionary: UnorderedContainer where Key: Encodable, Value: Encodable {
    /// Keys of these types become names in an object, which the encoder sorts; other keys are array entries.
    private static var hasNames: Bool {
        Key.self == String.self || Key.self == Int.self || Key.self is any CodingKeyRepresentable.Type
    }

    fileprivate static var isUnordered: Bool { !hasNames || CanonicalJSON.isUnordered(Value.self) }

    fileprivate func canonicalJSON() throws -> Data {
        guard Self.hasNames else {
            let entries = try map { key, value in
                try CanonicalJSON.encode(key) + Data(",".utf8) + CanonicalJSON.encode(value)
            }
            return CanonicalJSON.array(CanonicalJSON.inOrderOfBytes(entries))
        }
        let entries = try map { key, value in
            try CanonicalJSON.encode(Self.name(of: key)) + Data(":".utf8) + CanonicalJSON.encode(value)
        }
        return CanonicalJSON.object(CanonicalJSON.inOrderOfBytes(entries))
    }

    private static func name(of key: Key) -> String {
        (key as? any CodingKeyRepresentable)?.codingKey.stringValue ?? "\(key)"
    }
}

extension Array: UnorderedContainer where Element: Encodable {
    fileprivate static var isUnordered: Bool { CanonicalJSON.isUnordered(Element.self) }

    fileprivate func canonicalJSON() throws -> Data { CanonicalJSON.array(try map { try CanonicalJSON.encode($0) }) }
}

extension Optional: UnorderedContainer where Wrapped: Encodable {
    fileprivate static var isUnordered: Bool { CanonicalJSON.isUnordered(Wrapped.self) }

    fileprivate func canonicalJSON() throws -> Data { try map { try CanonicalJSON.encode($0) } ?? Data("null".utf8) }
}
