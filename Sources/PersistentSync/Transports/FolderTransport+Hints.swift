internal import Foundation
internal import StoreEngine
internal import Synchronization

// Reports of files that are added to the folder.
extension FolderTransport {
    /// Listens to the folders of the groups, and reports files that are added or completed.
    ///
    /// The dates of the folders are compared each minute in addition, because systems do not report the files that other
    /// machines add to a network volume; each second if the folder does not exist, or the system reports no files at all.
    public func hints(_ groups: Set<String>) -> AsyncStream<Void> {
        let groups = groups.compactMap { HexName.number($0) }.map { GroupID($0) }
        return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task {
                await follow(groups) { continuation.yield() }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    private func follow(_ groups: [GroupID], _ report: () -> Void) async {
        let (causes, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let news = FolderNews()
        let watch = FolderWatch {
            news.add()
            continuation.yield()
        }
        defer { watch?.cancel() }
        var isListening = listen(watch, groups)
        var last = dates(of: groups)
        // Files may have arrived between the last list and now.
        report()
        var timer = Self.timer(isListening, continuation)
        for await _ in causes {
            timer.cancel()
            let isReported = news.take()
            // Folders can be new, or other ones with the same names.
            isListening = listen(watch, groups)
            let now = dates(of: groups)
            if isReported || now != last { report() }
            last = now
            timer = Self.timer(isListening, continuation)
        }
        timer.cancel()
    }

    private static func timer(_ isListening: Bool, _ causes: AsyncStream<Void>.Continuation) -> Task<Void, Never> {
        Task {
            // What the system does not report is found by looking.
            try? await Task.sleep(for: isListening ? longPause : pause)
            if !Task.isCancelled { causes.yield() }
        }
    }

    private static let pause = Duration.seconds(1)
    private static let longPause = Duration.seconds(60)

    /// Watches all folders of the groups; returns whether their files are reported.
    private func listen(_ watch: FolderWatch?, _ groups: [GroupID]) -> Bool {
        guard let watch else { return false }
        var watched: [String] = []
        while true {
            let current = folders(of: groups)
            // A folder that was added meanwhile was not reported.
            if current == watched { return true }
            guard watch.watch(current) else { return false }
            watched = current
        }
    }

    /// The folders in which files and folders of the groups appear.
    private func folders(of groups: [GroupID]) -> [String] {
        let folders = groups.flatMap { group in
            let log = log(of: group)
            return [log.deletingLastPathComponent(), log] + others(of: group) + ((try? contents(of: log)) ?? [])
        }
        return [root.path] + folders.map(\.path)
    }

    private func log(of group: GroupID) -> URL { folder(of: group, .log(DeviceID(0))).deletingLastPathComponent() }

    private func others(of group: GroupID) -> [URL] {
        [SyncEntry.Kind.members, .snapshots, .blobs].map { folder(of: group, $0) }
    }

    /// What changes when a file is added to a group: the dates of the folders, which are read quickly.
    private func dates(of groups: [GroupID]) -> [String] {
        let folders = groups.flatMap { group in
            let log = log(of: group)
            return others(of: group) + [log] + ((try? contents(of: log)) ?? [])
        }
        return folders.map { folder in
            let attributes = try? FileManager.default.attributesOfItem(atPath: folder.path)
            let date = (attributes?[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
            return "\(folder.path) \(date)"
        }
    }
}

/// Whether the system reported files.
private final class FolderNews: Sendable {
    private let isThere = Atomic<Bool>(false)

    func add() { isThere.store(true, ordering: .relaxed) }
    func take() -> Bool { isThere.exchange(false, ordering: .relaxed) }
}
