internal import Foundation

/// How much a test does. Sizes that show what an algorithm costs are meant for optimized code; without optimization
/// they take minutes and show nothing more than a tenth of them.
public enum Scale {
    /// Whether sizes are as they are written: in optimized builds, unless the environment has `PO_TEST_SCALE=small`.
    #if DEBUG
        public static let isFull = false
    #else
        public static let isFull = ProcessInfo.processInfo.environment["PO_TEST_SCALE"] != "small"
    #endif

    /// A size in optimized builds, a tenth of it in others.
    public static func of(_ size: Int) -> Int { isFull ? size : size / 10 }
}
