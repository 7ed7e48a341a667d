import Foundation
import ModelRuns
import PersistentObjects

/// Runs a plan in the current session, and records its steps.
struct IsolationWork {
    /// The result of a plan. Without a `problem`, an error is an expected one.
    struct Report: Sendable {
        var steps: [History.Step]
        var isDone: Bool
        /// A failure that no isolation level permits.
        var problem: String?
    }

    private struct RolledBack: Error {}

    let plan: IsolationPlan
    var lists: Lists
    private var done: [History.Step] = []
    private var place = 0
    private var random: Randomness

    init(_ plan: IsolationPlan, _ lists: Lists) {
        (self.plan, self.lists) = (plan, lists)
        random = Randomness(plan.seed)
    }

    mutating func run() -> Report {
        do {
            switch plan.kind {
            case .reading: _ = try Store.reading { try steps() }
            case .query: try steps()
            case .save: try save()
            case .undo:
                guard try Store.undo() else { return Report(steps: [], isDone: false, problem: "nothing to undo") }
            case .transaction:
                try Store.transaction(retries: plan.retries) {
                    (done, place) = ([], 0)
                    try steps()
                    switch plan.rollback {
                    case .no: return
                    case .byError: throw RolledBack()
                    case .byCall: try Store.session().rollBack()
                    }
                }
            }
            return Report(steps: done, isDone: plan.rollback == .no)
        } catch {
            return Report(steps: done, isDone: false, problem: IsolationWork.problem(error))
        }
    }

    /// Runs the plan in `session`, with the time limit of the plan.
    mutating func run(in session: Session) -> Report {
        session.use {
            guard let limit = plan.limit else { return run() }
            do { return try session.withTimeout(limit) { run() } } catch {
                return Report(steps: done, isDone: false, problem: IsolationWork.problem(error))
            }
        }
    }

    /// The description of an unexpected error. Nil for an error that another session, a limit or a cancellation can
    /// cause.
    static func problem(_ error: any Error) -> String? {
        if error is CancellationError || error is RolledBack { return nil }
        if let error = error as? StoreError, [.busy, .timedOut, .staleObject].contains(error.code) { return nil }
        return "\(error)"
    }

    private mutating func save() throws {
        guard case .append(let list, let value) = plan.steps.first else { throw Failure("a save of nothing") }
        do {
            if let before = try lists.appendToHeld(value, to: list) { done.append(.read(list: list, before)) }
        } catch {
            done.append(.append(list: list, value: value))
            throw error
        }
        done.append(.append(list: list, value: value))
    }

    /// Runs the steps up to the end of the current transaction.
    ///
    /// - Returns: The step that ends the transaction, `commit` or `rollback`, or nil at the end of the plan.
    @discardableResult
    private mutating func steps() throws -> History.Step? {
        while place < plan.steps.count {
            let step = plan.steps[place]
            place += 1
            // Gives other sessions the opportunity to write between the steps.
            if random.chance(0.3) { usleep(UInt32(random.logarithmic(1_000))) }
            switch step {
            case .read(let list, _):
                let values = try lists.read(list, &random, inOneState: plan.kind != .query)
                done.append(.read(list: list, values))
            case .append(let list, let value):
                done.append(step)
                try lists.append(value, to: list)
            case .begin: try inner()
            case .commit, .rollback: return step
            }
        }
        return nil
    }

    private mutating func inner() throws {
        done.append(.begin)
        let byCall = random.chance(0.5)
        do {
            let end = try Store.transaction {
                let end = try steps()
                if end == .rollback {
                    guard byCall else { throw RolledBack() }
                    try Store.session().rollBack()
                }
                return end
            }
            done.append(end ?? .commit)
        } catch is RolledBack {
            done.append(.rollback)
        }
    }
}
