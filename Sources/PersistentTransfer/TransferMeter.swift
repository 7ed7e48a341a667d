internal import Foundation

/// Reports the progress of an export or import, and ends it if its progress or task is cancelled.
final class TransferMeter {
    private let progress: Progress
    private let report: ((Progress) -> Void)?
    /// The number of units between two reports.
    private let step: Int64
    private var next: Int64 = 0

    init(_ progress: Progress?, _ report: ((Progress) -> Void)?, step: Int64) {
        self.progress = progress ?? Progress(totalUnitCount: 0)
        self.report = report
        self.step = step
    }

    func begin(_ total: Int64) {
        progress.totalUnitCount = total
        progress.completedUnitCount = 0
    }

    /// - Throws: `CancellationError` if the progress, or the task, is cancelled.
    func advance(to count: Int64) throws {
        guard count >= next else { return }
        next = count + step
        progress.completedUnitCount = count
        report?(progress)
        try check()
    }

    /// Makes the last report.
    func end(_ count: Int64) throws {
        progress.completedUnitCount = count
        report?(progress)
        try check()
    }

    private func check() throws {
        if progress.isCancelled || Task.isCancelled { throw CancellationError() }
    }
}
