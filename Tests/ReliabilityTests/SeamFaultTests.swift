import Foundation
import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// Each call, each binding and each value of an engine goes wrong once, in every kind of work with objects.
///
/// What a file system can do is tried below SQLite; this is what no file makes happen, or hardly: a binding that is
/// refused, a value of another kind where the library itself has written it, a failure between any two statements.
///
/// `PO_FAULT_POINTS=all` tries each of them. Otherwise every 97th is tried with `PO_TEST_SCALE=full`, and a fifth of these
/// without it, different ones for each kind of work.
struct SeamFaultTests {
    private static let step =
        ProcessInfo.processInfo.environment["PO_FAULT_POINTS"] == "all" ? 1 : Scale.isFull ? 97 : 485

    /// Where the work begins: a file with some objects, or none.
    private static let files = Result { () throws in
        let (new, filled) = (try TemporaryStore(), try TemporaryStore())
        let store = try filled.open(configuration: .quiet)
        try store.withSession { session throws in try FaultWork.fill(session) }
        store.close()
        return [new, filled]
    }

    /// A store on a copy, whose engine fails as `faults` says.
    private func open(_ work: FaultWork, _ file: TemporaryStore, _ faults: EngineFaults) throws -> Store {
        let source = try Self.files.get()[work.isNew ? 0 : 1]
        if !work.isNew { try Data(contentsOf: URL(filePath: source.path)).write(to: URL(filePath: file.path)) }
        let configuration = Store.Configuration(durability: .relaxed, lostEdits: .ignore, onNote: { _ in })
        return try Store(file.path, configuration: configuration, engine: LoggingEngine(faults: faults))
    }

    /// Does the work with the n-th of a kind going wrong, and says whether there was an n-th.
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
        // What has failed can be done as if nothing had happened.
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
    func `whatever goes wrong at the seam is thrown, and the work can be done again`(
        work: FaultWork, kind: EngineFaults.Kind
    ) throws {
        let seed = FaultWork.allCases.firstIndex(of: work) ?? 0
        var number = 1 + seed * 7 % Self.step
        while try attempt(work, kind, number) { number += Self.step }
    }
}
