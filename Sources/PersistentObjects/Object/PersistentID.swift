/// The identifier of one stored object: its class, its row, and its key if the class has keys.
///
/// Objects stay in one isolation domain. Their ids can be sent across isolation domains and written to files. If the id
/// has a key, the key also finds the object in other files.
///
/// ```swift
/// let id = joe.persistentID
/// Task.detached { try await store.perform { _ in try id.flatMap { try Person.find($0) }?.lastName } }
/// ```
public struct PersistentID<Object: Persistent>: Sendable, Codable {
    /// The id of the row.
    public let value: Int64

    /// The object's key; nil if its class has no keys.
    ///
    /// If the class has a `primaryKey`, this is the primary key as a string in the library's own format.
    public let key: String?

    /// Creates the id of the row of class `Object` with this number.
    public init(_ value: Int64) { self.init(value, key: nil) }

    init(_ value: Int64, key: String?) {
        self.value = value
        self.key = key
    }

    /// The id of an object that has a row; otherwise nil.
    init?(of object: PersistentObject) {
        guard let id = object.id else { return nil }
        self.init(id, key: object.objectKey?.text)
    }
}

extension PersistentID: Hashable {
    /// Returns whether two ids identify the same row of one store.
    public static func == (a: PersistentID, b: PersistentID) -> Bool { a.value == b.value }

    /// Hashes the id of the row.
    public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

extension PersistentID: CustomStringConvertible {
    /// The class and the id, such as `Person #7`.
    public var description: String { "\(Object.self) #\(value)" }
}

/// A `PersistentID` of any class, as an argument of a finder.
protocol ObjectIdentifying {
    var value: Int64 { get }
    var key: String? { get }
    /// The class of the object.
    var objectClass: PersistentObject.Type { get }
}

extension PersistentID: ObjectIdentifying {
    var objectClass: PersistentObject.Type { ObjectMemory.objectClass(Object.self) }
}
