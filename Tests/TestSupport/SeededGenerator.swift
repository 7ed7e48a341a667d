internal import Foundation

/// Random numbers that are the same for the same seed (SplitMix64, Steele, Lea and Flood 2014).
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Creates a generator from a seed, which a failing test must print.
    public init(seed: UInt64) { state = seed }

    /// The seeds of a test, from 0 on, as many as `Scale` permits.
    ///
    /// If the environment has `SEED`, it is the only seed, to replay a failure. `SEEDS` is the number of seeds of a long run.
    public static func seeds(_ count: Int) -> [UInt64] {
        let environment = ProcessInfo.processInfo.environment
        if let seed = environment["SEED"].flatMap({ UInt64($0) }) { return [seed] }
        let count = environment["SEEDS"].flatMap { Int($0) } ?? Scale.rounds(count)
        return (0..<max(1, count)).map { UInt64($0) }
    }

    /// The next number.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed &>> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed &>> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed &>> 31)
    }
}
