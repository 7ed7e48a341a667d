internal import StoreEngine

/// One property of a snapshot.
struct SnapshotProperty: Sendable {
    /// The value that the user reads, ids for objects; nil for nil, and if the value cannot be sent.
    var value: (any Sendable)?
    /// The stored form of the value; nil if it cannot be stored.
    var image: SnapshotImage?
    /// The database's value when the object was last read; nil if it is unknown.
    let base: SnapshotImage?
    let baseValue: (any Sendable)?
    /// Whether the value was in memory.
    var isLoaded: Bool

    /// Whether the value differs from the database's value.
    var isChanged: Bool { isLoaded && (image != base || image == nil) }
}

extension SnapshotProperty: CustomStringConvertible {
    var description: String {
        guard isLoaded else { return "(not loaded)" }
        return switch value {
        case nil: "nil"
        case let text as any StringProtocol: VisibleText.quoted(String(text))
        case let value?: "\(value)"
        }
    }
}

/// The stored form of a value, for comparisons.
enum SnapshotImage: Hashable, Sendable {
    case value(DatabaseValue)
    case links(LinkImage)
}

/// The store of a snapshot's ids.
struct SnapshotStore: Sendable, Equatable {
    let location: StoreLocation
}

extension Property {
    /// The stored form of the value in the object at `start`; nil if it cannot be stored.
    func image(in start: Address) -> SnapshotImage? {
        let field = address(in: start)
        if let links = codec as? any LinkCodec { return .links(links.image(field)) }
        return (try? codec.encode(field)).map { .value($0) }
    }
}
