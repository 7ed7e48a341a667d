internal import Foundation

/// The scale of tests: a fifth of the rounds and a tenth of the sizes, unless the environment has `PO_TEST_SCALE=full`.
///
/// `.ci/run` sets it in the optimized pass that runs all suites, so that each test runs completely once and costs
/// little elsewhere.
public enum Scale {
    /// Whether sizes and rounds are not reduced.
    public static let isFull = ProcessInfo.processInfo.environment["PO_TEST_SCALE"] == "full"

    /// A size that shows the cost of an algorithm, or a tenth of it.
    public static func of(_ size: Int) -> Int { isFull ? size : size / 10 }

    /// A number of rounds, or a fifth of them and at least one.
    public static func rounds(_ count: Int) -> Int { isFull ? count : (count + 4) / 5 }

    /// All of the cases, or every fifth.
    public static func cases<Case>(_ all: [Case]) -> [Case] {
        isFull ? all : stride(from: 0, to: all.count, by: 5).map { all[$0] }
    }
}
