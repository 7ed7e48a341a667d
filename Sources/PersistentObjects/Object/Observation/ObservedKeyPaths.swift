internal import Observation
internal import Synchronization

// A registrar keeps its observers under a lock. Another thread may remove an observer at the same time, because an
// observer of two objects is removed from both when one of them changes. The only library code that runs under the lock
// is the hash of a key path that the registrar looks up. Therefore these key paths do their work in their hash.

/// Inspects a registrar while the registrar looks up its hash.
final class RegistrarLook: Hashable {
    private let registrar: ObservationRegistrar
    /// The observed key paths; empty if there are none.
    private(set) var keyPaths: [AnyKeyPath] = []

    init(_ registrar: ObservationRegistrar) { self.registrar = registrar }

    static func == (a: RegistrarLook, b: RegistrarLook) -> Bool { a === b }

    func hash(into hasher: inout Hasher) {
        keyPaths = RegistrarMemory.way?.keyPaths(in: registrar) ?? []
        hasher.combine(ObjectIdentifier(self))
    }
}

/// Counts how often a registrar with observers looks up its hash. A registrar without observers does not look it up.
struct RegistrarKnock: Hashable {
    private static let answers = Atomic<Int>(0)

    /// The number of lookups. Counting a concurrent lookup of another thread costs only one unnecessary inspection.
    static var count: Int { answers.load(ordering: .relaxed) }

    static func == (a: RegistrarKnock, b: RegistrarKnock) -> Bool { true }

    func hash(into hasher: inout Hasher) {
        RegistrarKnock.answers.wrappingAdd(1, ordering: .relaxed)
    }
}

/// The value of the key path of a lazy property or an inverse. The property itself is not a stored property of the
/// class, so it is observed by a key path of the library.
enum ObservedLink { case value }

extension Persistent {
    /// See `RegistrarLook`; never read.
    subscript(_look look: RegistrarLook) -> ObservedLink { .value }

    /// See `RegistrarKnock`; never read.
    subscript(_knock knock: RegistrarKnock) -> ObservedLink { .value }

    /// The lazy property or inverse at an ordinal in the class map, for observers.
    subscript(_link ordinal: Int) -> ObservedLink { .value }
}
