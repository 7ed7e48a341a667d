internal import Observation
internal import Synchronization

// A registrar has its observers under a lock of its own, and on another thread somebody else may just be leaving: an
// observer who waits for two objects leaves both where one has changed. What runs under that lock from here is the hash
// of a key path that the registrar looks up, so key paths of these have something to do there.

/// Looks into a registrar while that looks up its hash.
final class RegistrarLook: Hashable {
    private let registrar: ObservationRegistrar
    /// What is observed; empty where nothing is.
    private(set) var keyPaths: [AnyKeyPath] = []

    init(_ registrar: ObservationRegistrar) { self.registrar = registrar }

    static func == (a: RegistrarLook, b: RegistrarLook) -> Bool { a === b }

    func hash(into hasher: inout Hasher) {
        keyPaths = RegistrarMemory.way?.keyPaths(in: registrar) ?? []
        hasher.combine(ObjectIdentifier(self))
    }
}

/// Counts how often a registrar that has observers looks up its hash. One that has none looks nothing up.
struct RegistrarKnock: Hashable {
    private static let answers = Atomic<Int>(0)

    /// How many there were. One too many for somebody else's look is one look in vain.
    static var count: Int { answers.load(ordering: .relaxed) }

    static func == (a: RegistrarKnock, b: RegistrarKnock) -> Bool { true }

    func hash(into hasher: inout Hasher) {
        RegistrarKnock.answers.wrappingAdd(1, ordering: .relaxed)
    }
}

/// What the key path of a lazy property or an inverse leads to. The property itself is no stored one of the class's, so
/// it is observed by a key path of the library's.
enum ObservedLink { case value }

extension Persistent {
    /// See `RegistrarLook`; never read.
    subscript(_look look: RegistrarLook) -> ObservedLink { .value }

    /// See `RegistrarKnock`; never read.
    subscript(_knock knock: RegistrarKnock) -> ObservedLink { .value }

    /// The lazy property or inverse at a place in the class map, for observers.
    subscript(_link place: Int) -> ObservedLink { .value }
}
