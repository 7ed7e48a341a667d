internal import Foundation

/// How much a test does: a fifth of its rounds and a tenth of its sizes, unless the environment has `PO_TEST_SCALE=full`.
///
/// `.ci/run` sets it in the pass that is optimized and runs all suites, so that each proof is run whole once and costs
/// little everywhere else.
public enum Scale {
    /// Whether sizes and rounds are as they are written.
    public static let isFull = ProcessInfo.processInfo.environment["PO_TEST_SCALE"] == "full"

    /// A size that shows what an algorithm costs, or a tenth of it.
    public static func of(_ size: Int) -> Int { isFull ? size : size / 10 }

    /// A number of rounds, or a fifth of them and at least one.
    public static func rounds(_ count: Int) -> Int { isFull ? count : (count + 4) / 5 }

    /// All of the cases, or every fifth.
    public static func cases<Case>(_ all: [Case]) -> [Case] {
        isFull ? all : stride(from: 0, to: all.count, by: 5).map { all[$0] }
    }
}
