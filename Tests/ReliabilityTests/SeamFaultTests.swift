import Foundation
import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// Each call, each binding and each value of an engine fails once, in every kind of work with objects.
///
/// Faults of the file system are tested below SQLite. These tests cover faults that a file can hardly cause: a
/// rejected binding, a value of another type in a column that the library wrote, a failure between any two
/// statements.
///
/// `PO_FAULT_POINTS=all` tries every point. Otherwise every 97th point is tried with `PO_TEST_SCALE=full`, and a
/// fifth of these without it, at different offsets for each kind of work.
struct SeamFaultTests {
    private static let step = FaultPoint.triesAll ? 1 : Scale.isFull ? 97 : 485

    /// The files before the work: a new file, and a file with some objects.
    private static let files = Result { () throws in
        let (new, filled) = (try TemporaryStore(), try TemporaryStore())
        let store = try filled.open(configuration: .quiet)
        try store.withSession { session throws in try FaultWork.fill(session) }
        store.close()
        return [new, filled]
    }

    /// A store on a copy of the file, whose engine fails as specified by `faults`.
    private func open(_ work: FaultWork, _ file: TemporaryStore, _ faults: EngineFaults) throws -> Store {
        let source = try Self.files.get()[work.isNew ? 0 : 1]
        if !work.isNew { try Data(contentsOf: URL(filePath: source.path)).write(to: URL(filePath: file.path)) }
        let configuration = Store.Configuration(durability: .relaxed, lostEdits: .ignore, onNote: { _ in })
        return try Store(file.path, configuration: configuration, engine: LoggingEngine(faults: faults))
    }

    /// Does the work while the n-th event of a kind fails. Returns whether there was an n-th event.
    private func attempt(_ work: FaultWork, _ kind: EngineFaults.Kind, _ number: Int) throws -> Bool {
        let (file, faults) = (try TemporaryStore(), EngineFaults())
        let store = try open(work, file, faults)
        defer { store.close() }
        let wasHit = try store.withSession { session throws in
            if number % 2 == 0, !work.isNew, work != .change { try store.prepare(FaultWork.classes) }
            faults.arm(kind, number)
            var failure: (any Error)?
            do { try work.run(store, session) } catch { failure = error }
            let wasHit = faults.disarm()
            if !wasHit, let failure { Issue.record("\(work) fails by itself: \(failure)") }
            #expect(!session.connection.isInTransaction, "\(work), \(kind) \(number): \(String(describing: failure))")
            expect(session.connection.busyStatementCount, 0, "\(work), \(kind) \(number)")
            return wasHit
        }
        // The failed work can be repeated as if nothing had happened.
        do { try store.withSession { session throws in try work.run(store, session) } } catch {
            Issue.record("\(work) cannot be done after \(kind) \(number): \(error)")
        }
        if work != .change, number % 7 == 1 {
            let report = try store.checkIntegrity()
            #expect(report.problems.isEmpty, "\(work), \(kind) \(number)")
        }
        return wasHit
    }

    @Test(arguments: FaultWork.allCases, EngineFaults.Kind.allCases)
    func `each engine fault is thrown, and the work can be repeated`(
        work: FaultWork, kind: EngineFaults.Kind
    ) throws {
        let seed = FaultWork.allCases.firstIndex(of: work) ?? 0
        var number = 1 + seed * 7 % Self.step
        while try attempt(work, kind, number) { number += Self.step }
    }
}
