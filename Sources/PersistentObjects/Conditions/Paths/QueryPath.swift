// Paths: the properties, referenced objects and JSON parts that a query names. It knows class maps, and must know
// neither SQL nor values.

/// The steps from an object to a property: references first, and the property last.
struct QueryPath: Hashable, Sendable {
    private let first: Step
    /// The steps after the first. Most paths have a single step and need no list.
    private let others: [Step]

    var steps: [Step] { [first] + others }

    /// A property as the query names it.
    enum Step: Hashable, @unchecked Sendable {  // key paths are immutable
        case keyPath(AnyKeyPath)
        /// The index in `ClassMap.properties`; the index after the last property is the id.
        case ordinal(Int)
    }

    init(_ path: AnyKeyPath) { self.init(.keyPath(path)) }

    /// Whether the paths are equal. Equal paths are usually the same key path object.
    @inline(__always)
    func isSame(as other: QueryPath) -> Bool {
        if others.isEmpty, case .keyPath(let a) = first, case .keyPath(let b) = other.first, a === b {
            return other.others.isEmpty
        }
        return self == other
    }

    init(_ first: Step, _ others: [Step] = []) {
        self.first = first
        self.others = others
    }

    func appending(_ path: AnyKeyPath) -> QueryPath { appending(.keyPath(path)) }
    /// The error of a value that is compared with the property, with the names of the property and its class.
    func located(_ error: any Error) -> any Error {
        guard let error = error as? StoreError, case .keyPath(let path)? = steps.last,
            let type = type(of: path).rootType as? PersistentObject.Type, let map = try? ClassMap.map(of: type),
            case .property(let ordinal)? = try? KeyPathResolver.subject(of: path, in: map)
        else { return error }
        return error.at(className: map.name, property: map.properties[ordinal].name)
    }

    func appending(_ step: Step) -> QueryPath { QueryPath(first, others + [step]) }
}

/// A `PersistentID` with a key. In this file its row may have a different id.
struct ObjectName: Hashable, Sendable {
    let objectClass: PersistentObject.Type
    let value: Int64
    let key: String?

    static func == (a: ObjectName, b: ObjectName) -> Bool {
        a.objectClass == b.objectClass && a.key == b.key && a.value == b.value
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(objectClass))
        hasher.combine(key)
    }
}

extension ObjectName: ObjectIdentifying {}

/// The class that a query finds objects of.
struct QueryClass: Hashable, Sendable {
    let type: PersistentObject.Type

    static func == (a: QueryClass, b: QueryClass) -> Bool { a.type == b.type }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(type)) }
}

extension QueryPath.Step {
    /// The property or id that the step names in a class.
    func subject(in map: ClassMap) throws -> KeyPathResolver.Subject {
        switch self {
        case .keyPath(let path): try KeyPathResolver.subject(of: path, in: map)
        case .ordinal(let ordinal): ordinal < map.properties.count ? .property(ordinal) : .id
        }
    }
}
