/// Names one stored object: its class and its row, and its key where the class has keys.
///
/// Objects stay in one isolation domain; their ids go anywhere, into files too.
/// With a key the object is found in other files as well, by that.
///
/// ```swift
/// let id = joe.persistentID
/// Task.detached { try await store.perform { _ in try id.flatMap { try Person.find($0) }?.lastName } }
/// ```
public struct PersistentID<Object: Persistent>: Sendable, Codable {
    /// The id of the row.
    public let value: Int64

    /// The object's key; nil if its class has none. Where the class has a `primaryKey`, that as a text of the library's.
    public let key: String?

    /// Names the row of class `Object` with this id.
    public init(_ value: Int64) { self.init(value, key: nil) }

    init(_ value: Int64, key: String?) {
        self.value = value
        self.key = key
    }

    /// The id of an object that has a row; nil for another.
    init?(of object: PersistentObject) {
        guard let id = object.id else { return nil }
        self.init(id, key: object.objectKey?.text)
    }
}

extension PersistentID: Hashable {
    /// Ids are equal when they name the same row of one store.
    public static func == (a: PersistentID, b: PersistentID) -> Bool { a.value == b.value }

    /// Hashes the row.
    public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

extension PersistentID: CustomStringConvertible {
    /// The class and the id, `Person #7`.
    public var description: String { "\(Object.self) #\(value)" }
}

/// A `PersistentID` of any class, as an argument of a finder.
protocol NamesObject {
    var value: Int64 { get }
    var key: String? { get }
    /// The class of the object.
    var objectClass: PersistentObject.Type { get }
}

extension PersistentID: NamesObject {
    var objectClass: PersistentObject.Type { ObjectMemory.objectClass(Object.self) }
}
