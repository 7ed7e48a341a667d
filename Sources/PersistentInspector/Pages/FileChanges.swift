internal import Foundation
internal import PersistentObjects

/// Notices changes of a store between two looks.
package struct FileChanges {
    private let path: String
    private var signature: CommitSignature
    /// The objects at the last look; nil if they were not compared.
    private var state: WatchedState?

    package init(path: String) {
        self.path = path
        signature = CommitSignature(path)
    }

    /// The seconds between two looks.
    package var interval: Double { signature.interval }

    /// Whether the store changed since the last look, and a line for each class whose objects changed.
    ///
    /// - Parameter comparesObjects: Whether there are lines. The objects of the store are read for them.
    package mutating func look(comparesObjects: Bool) -> (isChanged: Bool, lines: [String]) {
        // A server that cannot be reached in this moment is looked at again.
        let isChanged = (try? signature.isChanged()) ?? false
        guard comparesObjects else {
            state = nil
            return (isChanged, [])
        }
        guard isChanged || state == nil else { return (false, []) }
        // A file that cannot be read in this moment is read at the next change.
        let isLimited = ServerAddress.isAddress(path)
        guard let file = try? InspectedFile(path, isLimited: isLimited), let next = try? WatchedState(file) else {
            return (isChanged, [])
        }
        defer { state = next }
        return (isChanged, state.map { next.changes(since: $0) } ?? [])
    }
}
