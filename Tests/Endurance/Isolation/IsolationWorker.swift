import Foundation
import ModelRuns
import PersistentObjects
import Synchronization

/// One of the sessions of a process. Runs one operation after another, and writes each to the history before it starts
/// and after it ends.
///
/// Two workers keep their session, with its undo history and its objects. The others use a new session for each
/// operation, in a task that may be cancelled.
struct IsolationWorker: Sendable {
    let store: Store
    let log: IsolationLog
    /// The number of the worker, unique in all processes of a run.
    let number: Int
    let seed: UInt64
    let clock: IsolationClock

    private static let allSerials = 1_000_000

    func work(until isOver: () -> Bool) throws {
        if number.isMultiple(of: 2) { try workInOwn(until: isOver) } else { try workInTasks(until: isOver) }
    }

    private func id(_ serial: Int) -> Int { number * IsolationWorker.allSerials + serial }

    private func plan(_ random: inout Randomness, _ serial: Int, canUndo: Bool) -> IsolationPlan {
        var count = 0
        // An operation has fewer than 10 values.
        return IsolationPlan(clock.lists, &random, canUndo: canUndo) {
            defer { count += 1 }
            return id(serial) * 10 + count
        }
    }

    private func workInOwn(until isOver: () -> Bool) throws {
        var random = Randomness(seed, number), serial = 0
        let session = try Session(store)
        defer { session.close() }
        session.recordsUndo = true
        var lists = Lists(), turn = clock.lists
        /// The identifiers of the operations that can be undone, the most recent one last.
        var levels: [Int] = []
        while !isOver() {
            serial += 1
            pause(&random)
            if turn != clock.lists || random.chance(0.02) { (lists, turn) = (Lists(), clock.lists) }
            let plan = plan(&random, serial, canUndo: !levels.isEmpty)
            var kind = History.Kind.steps
            if plan.kind == .undo, let last = levels.last { kind = .undo(of: last) }
            var operation = History.Operation(
                id(serial), plan.steps, .unknown, kind: kind, from: IsolationLog.now)
            operation.name = "\(plan.kind)"
            try log.begin(operation)
            var work = IsolationWork(plan, lists)
            let report = work.run(in: session)
            lists = work.lists
            try end(&operation, report)
            try require(!session.hasChanges, "#\(operation.id) has left an edit: \(report)")
            if case .undo = kind {
                if report.isDone {
                    levels.removeLast()
                } else {
                    // An operation whose result another session has changed cannot be undone, now or later.
                    session.clearUndo()
                    levels = []
                }
            } else if report.isDone, operation.keepsAppends {
                levels = (levels + [operation.id]).suffix(session.undoLimit.levels)
            }
        }
    }

    private func workInTasks(until isOver: () -> Bool) throws {
        var random = Randomness(seed, number), serial = 0
        while !isOver() {
            serial += 1
            pause(&random)
            if random.chance(0.02) { store.releaseMemory() }
            if random.chance(0.01) { _ = try? store.checkpoint(waiting: false) }
            let plan = plan(&random, serial, canUndo: false)
            var operation = History.Operation(id(serial), plan.steps, .unknown, from: IsolationLog.now)
            operation.name = "\(plan.kind)"
            try log.begin(operation)
            try end(&operation, report(plan, inPerform: number % 4 == 1))
        }
    }

    /// Waits for a random time, so that the sessions do not run in a fixed order.
    private func pause(_ random: inout Randomness) { usleep(UInt32(random.logarithmic(4_000))) }

    /// Runs a plan in a task, and cancels the task if the plan requires it.
    private func report(_ plan: IsolationPlan, inPerform: Bool) -> IsolationWork.Report {
        let store = store, outcome = Outcome(), done = DispatchSemaphore(value: 0)
        let task = Task.detached {
            do {
                if inPerform {
                    try await store.perform(timeout: plan.limit) { _ in
                        var work = IsolationWork(plan, Lists())
                        outcome.report(work.run())
                    }
                } else {
                    try store.withSession(timeout: plan.limit) { _ in
                        var work = IsolationWork(plan, Lists())
                        outcome.report(work.run())
                    }
                }
            } catch { outcome.report(error) }
            done.signal()
        }
        if let time = plan.cancelsAfter {
            // The cancellation may reach the task at any point.
            usleep(UInt32(time))
            task.cancel()
        }
        done.wait()
        return outcome.report
    }

    private func end(_ operation: inout History.Operation, _ report: IsolationWork.Report) throws {
        operation.ended = IsolationLog.now
        operation.outcome = report.isDone ? .done : .failed
        operation.steps = report.steps
        try log.end(operation)
        if let problem = report.problem { throw Failure("#\(operation.id): \(problem)") }
    }
}

/// The report of a task. The report of the work itself has priority over a later error.
private final class Outcome: Sendable {
    private let found = Mutex<IsolationWork.Report?>(nil)

    func report(_ report: IsolationWork.Report) { found.withLock { $0 = report } }

    func report(_ error: any Error) {
        found.withLock { found in
            if found != nil { return }
            found = IsolationWork.Report(steps: [], isDone: false, problem: IsolationWork.problem(error))
        }
    }

    var report: IsolationWork.Report {
        found.withLock { $0 } ?? IsolationWork.Report(steps: [], isDone: false, problem: "it has reported nothing")
    }
}
