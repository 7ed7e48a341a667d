internal import Synchronization

/// Where a store's sessions report edits that were lost; shared, since objects may outlive session and store.
final class LostEditsSink: Sendable {
    private let listening: Atomic<Bool>
    private let configuration: Locked<Store.Configuration>

    init(_ configuration: Store.Configuration) {
        listening = Atomic(LostEditsSink.listens(configuration))
        self.configuration = Locked(configuration)
    }

    private static func listens(_ configuration: Store.Configuration) -> Bool {
        if case .ignore = configuration.onLostEdits { false } else { true }
    }

    /// Whether anybody wants to know: asked at each release of an object.
    var isListening: Bool { listening.load(ordering: .relaxed) }

    func configure(_ configuration: Store.Configuration) {
        self.configuration.withLock { $0 = configuration }
        listening.store(LostEditsSink.listens(configuration), ordering: .relaxed)
    }

    func report(_ edits: LostEdits) {
        let configuration = configuration.withLock { $0 }
        switch configuration.onLostEdits {
        case .ignore: break
        case .warn: configuration.onNote(edits.description)
        case .call(let handler): handler(edits)
        }
    }
}
