/// Names one stored object: its class and its row.
///
/// Objects stay in one isolation domain; their ids go anywhere, into files too.
///
/// ```swift
/// let id = joe.persistentID
/// Task.detached { try await store.perform { _ in try id.flatMap { try Person.find($0) }?.lastName } }
/// ```
public struct PersistentID<Object: Persistent>: Sendable, Codable, Hashable {
    /// The id of the row.
    public let value: Int64

    /// Names the row of class `Object` with this id.
    public init(_ value: Int64) { self.value = value }
}

extension PersistentID: CustomStringConvertible {
    /// The class and the id, `Person #7`.
    public var description: String { "\(Object.self) #\(value)" }
}
