import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

extension FaultSweep {
    /// The result of a sweep.
    struct Outcome {
        /// The number of system calls of the script.
        var calls = 0
        /// The runs with a fault, and the runs in which the call failed.
        var points = 0
        var failures = 0
    }

    /// The states of a run without faults.
    private struct Course {
        let before: FaultState
        let after: FaultState
        /// The state after queries have returned all objects.
        let afterReading: FaultState
    }

    /// - Parameters:
    ///   - faults: The kinds of faults to inject.
    ///   - limit: The maximum number of points to try, or nil for all.
    ///   - seed: Selects the points.
    func run(_ faults: [FileFault] = FaultPoint.faults, atMost limit: Int?, seed: UInt64) throws -> Outcome {
        let (calls, course) = try withWork { stage, work, log in
            let before = try state(stage, work, log)
            let (calls, _) = try folder.calls(of: work.call)
            let after = try state(stage, work, log)
            return (
                calls, Course(before: before, after: after, afterReading: try state(stage, work, log, isRead: true))
            )
        }
        expectClosed("without a fault")
        var outcome = Outcome(calls: calls.count)
        for point in FaultPoint.points(of: calls, faults, atMost: limit, seed: seed) {
            outcome.points += 1
            let place = "\(script.name), \(setting.testDescription): \(point) of \(calls.count)"
            let (error, broken) = try run(with: point, course)
            if error != nil { outcome.failures += 1 }
            if !broken.isEmpty {
                Issue.record("\(place): \(error.map { "\($0): " } ?? "")\(broken.joined(separator: "\n"))")
            }
            // Further runs would report the same problem.
            guard expectClosed(place), broken.isEmpty else { break }
        }
        return outcome
    }

    /// Runs the script with a fault. Returns the error, if the call failed, and the broken promises.
    private func run(with point: FaultPoint, _ course: Course) throws -> (error: (any Error)?, broken: [String]) {
        try withWork { stage, work, log in
            folder.arm(point)
            var failure: (any Error)?
            do { try work.call() } catch { failure = error }
            folder.disarm()
            let now = try state(stage, work, log)
            guard let failure else {
                // If the changes of a commit cannot be read, the next queries read them. The commit is valid
                // nevertheless, and a note reports that it cannot be undone.
                let isUndoGone = stage.notes.all.contains { $0.hasPrefix("The undo history starts over") }
                guard now.session != course.after.session else { return (nil, differences(now, course.after)) }
                let read = try state(stage, work, log, isRead: true)
                return (nil, differences(read, course.afterReading, ignoringUndo: isUndoGone))
            }
            var broken = problems(with: failure, point)
            if now.session != course.before.session {
                broken.append("memory is not as before:\n\(now.session.difference(from: course.before.session))")
            }
            if now.events != course.before.events { broken.append("events were sent: \(now.events)") }
            if now.file != course.before.file, !steps.contains(now.file) {
                let difference = now.file.difference(from: steps.last ?? course.before.file)
                broken.append("the file is neither as before nor as after:\n\(difference)")
            }
            broken += try script.check?(stage) ?? []
            do {
                try work.call()
                broken += differences(try state(stage, work, log), course.after).map { "after the second call \($0)" }
            } catch { broken.append("the same call fails again: \(error)") }
            return (failure, broken)
        }
    }

    private func differences(_ now: FaultState, _ after: FaultState, ignoringUndo: Bool = false) -> [String] {
        var broken: [String] = []
        if now.file != after.file {
            broken.append("the file is not as it is to be\n\(now.file.difference(from: after.file))")
        }
        let isSame = ignoringUndo ? now.session.isSameButUndo(after.session) : now.session == after.session
        if !isSame {
            broken.append("memory is not as it is to be\n\(now.session.difference(from: after.session))")
        }
        if now.events != after.events { broken.append("the events are \(now.events), not \(after.events)") }
        return broken
    }

    /// Checks that the error states the kind of failure.
    private func problems(with failure: any Error, _ point: FaultPoint) -> [String] {
        guard let error = failure as? StoreError else { return ["no StoreError, but \(type(of: failure))"] }
        let wanted: Set<StoreError.Code> =
            point.fault == .fullDisk ? [.diskFull] : [.inputOutput, .cannotOpen, .busy, .outOfMemory]
        return wanted.contains(error.code) ? [] : ["the code is \(error.code)"]
    }

    @discardableResult
    private func expectClosed(_ place: String) -> Bool {
        let open = openFiles(in: folder.file.folder)?.filter { $0.contains("sqlite") } ?? []
        if !open.isEmpty { Issue.record("\(place): files stay open: \(open)") }
        return open.isEmpty
    }
}
