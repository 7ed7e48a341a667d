import Foundation
import Observation
import PersistentObjects
import TestSupport
import Testing

/// Records the notifications of a property's observers. Each observer observes its property again at once.
@MainActor final class Observers<Object: PersistentObject & Observable> {
    private let object: Object
    private var reads: [String: (Object) -> Void] = [:]
    private var heard: [String] = []

    /// - Parameter reads: The code that reads each property, by name.
    init(_ object: Object, _ reads: [String: (Object) -> Void]) {
        self.object = object
        self.reads = reads
        for name in reads.keys { observe(name) }
    }

    private func observe(_ name: String) {
        withObservationTracking {
            reads[name]?(object)
        } onChange: {
            MainActor.assumeIsolated {
                self.heard.append(name)
                self.observe(name)
            }
        }
    }

    /// Returns the sorted names of the properties whose observers were notified since the last call.
    func told() -> [String] {
        defer { heard = [] }
        return heard.sorted()
    }
}

struct Size: Codable, Equatable, Sendable {
    var width = 0
}

/// An observable object with properties of all types.
@Observable final class ObservedItem: PersistentObject {
    override class var transient: Set<String> { ["isSelected"] }
    var n = 0
    var name = ""
    var size = Size()
    var tags: [String] = []
    var marks: Set<Int> = []
    var prices: [String: Int] = [:]
    var notes: [String]?
    var owner: ObservedOwner?
    var others: [ObservedItem] = []
    var isSelected = false
    @ObservationIgnored @Lazy var photo: [UInt8]?
    @ObservationIgnored @Lazy var lender: ObservedOwner?
    @ObservationIgnored var ignored = 0

    /// A computed property that registers its own accesses.
    var label: String {
        access(keyPath: \.label)
        return ignored == 0 ? "new" : "number \(ignored)"
    }

    @MainActor static let reads: [String: (ObservedItem) -> Void] = [
        "n": { _ = $0.n }, "name": { _ = $0.name }, "size": { _ = $0.size }, "tags": { _ = $0.tags },
        "marks": { _ = $0.marks }, "prices": { _ = $0.prices }, "notes": { _ = $0.notes }, "owner": { _ = $0.owner },
        "others": { _ = $0.others }, "isSelected": { _ = $0.isSelected },
    ]
}

@Observable final class ObservedOwner: PersistentObject {
    var name = ""
    @ObservationIgnored @Inverse(\ObservedItem.owner) var items: [ObservedItem]
    @ObservationIgnored @Inverse(\ObservedItem.owner, where: { $0.n > 5 }) var great: [ObservedItem]

    @MainActor static let reads: [String: (ObservedOwner) -> Void] = [
        "name": { _ = $0.name }, "items": { _ = $0.items },
    ]
    @MainActor static let greatReads: [String: (ObservedOwner) -> Void] = ["great": { _ = $0.great }]
}

/// A hierarchy in which each class has a registrar.
@Observable class ObservedShape: PersistentObject {
    override class var indexes: [Index] { [Index("code", unique: true)] }
    var code = ""
    var color = ""
}

@Observable final class ObservedCircle: ObservedShape {
    var radius = 0

    @MainActor static let reads: [String: (ObservedCircle) -> Void] = [
        "code": { _ = $0.code }, "color": { _ = $0.color }, "radius": { _ = $0.radius },
    ]
}

/// Has properties that the store sets: dates and a version.
@Observable final class ObservedRecord: PersistentObject {
    override class var versionProperty: AnyKeyPath? { \ObservedRecord.version }
    override class var softDeletes: Bool { true }
    var text = ""
    var version = 0
    var createdAt: Date?
    var updatedAt: Date?
    var deletedAt: Date?

    @MainActor static let reads: [String: (ObservedRecord) -> Void] = [
        "text": { _ = $0.text }, "version": { _ = $0.version }, "createdAt": { _ = $0.createdAt },
        "updatedAt": { _ = $0.updatedAt }, "deletedAt": { _ = $0.deletedAt },
    ]
}

extension Session {
    /// Runs the body in another session of the store.
    func inAnother(_ body: () throws -> Void) throws { try store.withSession { _ in try body() } }
}
