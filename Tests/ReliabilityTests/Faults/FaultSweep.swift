import Foundation
import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// Runs a script repeatedly, with a fault at a different system call each time, and checks the guarantees after a
/// failure.
struct FaultSweep {
    /// The settings with which the store is opened.
    struct Setting: Sendable, CustomTestStringConvertible {
        let journal: JournalMode
        /// Whether the store has no page cache, so that pages are read on each access and written before the commit,
        /// and the session records undo and has a listener.
        let isStrained: Bool

        var testDescription: String { "\(journal.rawValue)\(isStrained ? ", strained" : "")" }

        static let all = [JournalMode.wal, .rollback].flatMap { journal in
            [false, true].map { Setting(journal: journal, isStrained: $0) }
        }
    }

    let script: FaultScript
    let setting: Setting
    let folder: FaultyFolder
    private let file: Data
    /// The states in which the file may be after a failure, in addition to the first and the last.
    let steps: [FileDump]

    init(_ script: FaultScript, _ setting: Setting) throws {
        self.script = script
        self.setting = setting
        folder = try FaultyFolder()
        let store = try FaultSweep.open(folder, setting)
        try store.withSession { session throws in
            for type in script.classes { try session.prepareTable(of: ClassMap.map(of: type)) }
            try script.fill(session)
        }
        store.close()
        file = try Data(contentsOf: URL(filePath: folder.file.path))
        var steps: [FileDump] = []
        for step in script.steps {
            let store = try FaultSweep.open(folder, setting)
            try step(store)
            store.close()
            steps.append(try FileDump(folder.file.path))
        }
        self.steps = steps
    }

    private static func open(_ folder: FaultyFolder, _ setting: Setting, _ notes: Recorder<String> = Recorder()) throws
        -> Store
    {
        try folder.file.open(
            configuration: .init(
                busyTimeout: .milliseconds(20), lostEdits: .keep, onNote: { notes.add($0) },
                cacheSize: setting.isStrained ? 0 : 1 << 20, journal: setting.journal))
    }

    /// Calls `body` with the script's work on a fresh copy of the file, and closes everything afterwards.
    func withWork<R>(_ body: (FaultStage, FaultScript.Work, CommitLog) throws -> R) throws -> R {
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.file.folder.path) {
            try FileManager.default.removeItem(at: folder.file.folder.appending(path: name))
        }
        try file.write(to: URL(filePath: folder.file.path))
        let notes = Recorder<String>()
        let store = try FaultSweep.open(folder, setting, notes)
        defer { store.close() }
        let log = CommitLog()
        return try store.withSession { session throws in
            if setting.isStrained || script.recordsUndo { session.recordsUndo = true }
            for type in script.prepared { try session.prepareTable(of: ClassMap.map(of: type)) }
            let stage = FaultStage(folder: folder, store: store, session: session, notes: notes)
            let work = try script.begin(stage)
            if setting.isStrained { store.hub.add(log, warning: { _ in }) { nil } }
            defer { if setting.isStrained { store.hub.remove(log) } }
            return try withExtendedLifetime(work) { try body(stage, work, log) }
        }
    }

    /// - Parameter isRead: Whether to fetch all objects first.
    func state(
        _ stage: FaultStage, _ work: FaultScript.Work, _ log: CommitLog, isRead: Bool = false
    ) throws -> FaultState {
        let all = try isRead ? script.prepared.map { try $0.all() } : []
        return try withExtendedLifetime(all) {
            FaultState(
                file: try FileDump(folder.file.path), session: SessionDump(stage.session, holding: work.held),
                events: log.all)
        }
    }
}
