internal import Foundation

/// A fault at one of the calls that some work makes to the file system.
public struct FaultPoint: Sendable {
    /// The number of the call, from 1.
    public let call: Int
    /// The fault.
    public let fault: FileFault
    /// Whether all later calls fail, too.
    public let isSticky: Bool

    /// If `PO_FAULT_POINTS` is "all", all points are tried, which takes hours. Otherwise a sample is tried.
    public static let triesAll = ProcessInfo.processInfo.environment["PO_FAULT_POINTS"] == "all"

    /// The faults that do not end the process, and that the caller notices.
    public static let faults = [FileFault.failure, .fullDisk, .shortWrite]

    /// Returns all points of some calls, or a sample that depends on the seed.
    public static func points(
        of calls: [FileCalls], _ faults: [FileFault] = faults, atMost limit: Int?, seed: UInt64
    ) -> [FaultPoint] {
        var points: [FaultPoint] = []
        for (index, call) in calls.enumerated() {
            for fault in faults where !fault.calls.isDisjoint(with: call) {
                for isSticky in [false, true] {
                    points.append(FaultPoint(call: index + 1, fault: fault, isSticky: isSticky))
                }
            }
        }
        guard let limit, points.count > limit else { return points }
        var generator = SeededGenerator(seed: seed)
        return Array(points.shuffled(using: &generator).prefix(limit))
    }
}

extension FaultyFolder {
    /// Starts to count calls, and makes the call of a point fail.
    public func arm(_ point: FaultPoint) { arm(point.fault, at: point.call, of: .all, isSticky: point.isSticky) }
}
