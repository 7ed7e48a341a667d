@_spi(Locks) internal import StoreEngine
internal import Synchronization

/// The treatment of unsaved edits whose object is deallocated. It is shared, because objects may outlive session and
/// store.
final class LostEditsSink: Sendable {
    private let policy: Atomic<UInt8>
    private let configuration: Locked<Store.Configuration>

    init(_ configuration: Store.Configuration) {
        policy = Atomic(LostEditsSink.number(configuration))
        self.configuration = Locked(configuration)
    }

    private static func number(_ configuration: Store.Configuration) -> UInt8 {
        switch configuration.lostEdits {
        case .ignore: 0
        case .report: 1
        case .keep: 2
        }
    }

    /// Whether edits are kept or reported; checked when each object is deallocated.
    @inline(__always)
    var isListening: Bool { policy.load(ordering: .relaxed) != 0 }

    /// Whether edits stay with the session.
    var keepsEdits: Bool { policy.load(ordering: .relaxed) == 2 }

    func configure(_ configuration: Store.Configuration) {
        self.configuration.withLock { $0 = configuration }
        policy.store(LostEditsSink.number(configuration), ordering: .relaxed)
    }

    /// Reports edits that can no longer be saved.
    func report(_ edits: LostEdits) {
        let configuration = configuration.withLock { $0 }
        switch configuration.lostEdits {
        case .ignore: break
        case .keep: configuration.onNote(edits.description)
        case .report(let handler): handler(edits)
        }
    }

    /// Reports a new object that was added to a session and can no longer be saved.
    func warnUnsaved(_ className: String) {
        let configuration = configuration.withLock { $0 }
        guard isListening else { return }
        configuration.onNote(
            "A new \(className) was added to a session that ended without saveChanges(). The object was not "
                + "saved")
    }
}
