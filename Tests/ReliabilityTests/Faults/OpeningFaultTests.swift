import Foundation
import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// Each system call of opening a store fails in turn.
@Suite struct OpeningFaultTests {
    /// The files that exist before the store is opened.
    enum Place: CaseIterable {
        case nothing, file, fileOfKilledProcess
    }

    @Test(arguments: Place.allCases, [JournalMode.wal, .rollback])
    func `a store that fails to open reports the reason, and can be opened afterwards`(
        _ place: Place, _ journal: JournalMode
    ) throws {
        let folder = try FaultyFolder()
        let configuration = Store.Configuration(busyTimeout: .milliseconds(20), lostEdits: .ignore, journal: journal)
        let files = try prepare(place, folder, configuration)
        try put(files, folder)
        let (calls, _) = try folder.calls(of: { try folder.file.open(configuration: configuration).close() })
        let expected = try FileDump(folder.file.path)
        for point in FaultPoint.points(of: calls, atMost: FaultPoint.triesAll ? nil : 12, seed: 5) {
            try put(files, folder)
            folder.arm(point)
            var failure: (any Error)?
            do { try folder.file.open(configuration: configuration).close() } catch { failure = error }
            folder.disarm()
            if let failure {
                let error = try #require(failure as? StoreError)
                let wanted: [StoreError.Code] =
                    point.fault == .fullDisk ? [.diskFull] : [.inputOutput, .cannotOpen, .busy, .readOnly]
                #expect(wanted.contains(error.code), "\(point): \(error)")
                #expect(error.message.contains(folder.file.path), "\(point): \(error)")
            }
            expect(openFiles(in: folder.file.folder)?.filter { $0.contains("sqlite") } ?? [], [], "\(point)")
            try folder.file.open(configuration: configuration).close()
            let now = try FileDump(folder.file.path)
            expect(now, expected, "\(point), \(String(describing: failure)): \(now.difference(from: expected))")
        }
    }

    private func prepare(
        _ place: Place, _ folder: FaultyFolder, _ configuration: Store.Configuration
    ) throws -> [(name: String, data: Data)] {
        guard place != .nothing else { return [] }
        let store = try folder.file.open(configuration: configuration)
        var files: [(name: String, data: Data)] = []
        try store.withSession { session throws in
            try session.save((0..<20).map { person("Name \($0)") })
            guard place == .fileOfKilledProcess else { return }
            try session.transaction {
                // Pages that do not fit in the cache are written to the file or its log before the commit.
                try session.connection.execute("PRAGMA cache_size = 1")
                let person = person("large")
                person.picture = [UInt8](repeating: 1, count: 20_000)
                try person.save()
                files = try read(folder)
                session.rollBack()
            }
        }
        store.close()
        return files.isEmpty ? try read(folder) : files
    }

    /// Returns all files except the shared memory of the processes.
    private func read(_ folder: FaultyFolder) throws -> [(name: String, data: Data)] {
        try FileManager.default.contentsOfDirectory(atPath: folder.file.folder.path).filter { !$0.hasSuffix("-shm") }
            .map { ($0, try Data(contentsOf: folder.file.folder.appending(path: $0))) }
    }

    private func put(_ files: [(name: String, data: Data)], _ folder: FaultyFolder) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.file.folder.path) {
            try FileManager.default.removeItem(at: folder.file.folder.appending(path: name))
        }
        for (name, data) in files { try data.write(to: folder.file.folder.appending(path: name)) }
    }
}
