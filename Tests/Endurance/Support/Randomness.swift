/// A random number generator with a seed (SplitMix64, Steele, Lea and Flood 2014).
struct Randomness: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    /// A separate generator for each position in a run.
    init(_ seed: UInt64, _ place: Int) {
        var generator = Randomness(seed ^ UInt64(bitPattern: Int64(place)) &* 0xD134_2543_DE82_EF95)
        state = generator.next()
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed &>> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed &>> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed &>> 31)
    }

    mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

    /// Returns true with the probability `share`.
    mutating func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &self) < share }

    /// A positive number with at most as many bits as `bound`; each number of bits is equally probable.
    mutating func logarithmic(_ bound: Int) -> Int {
        let highest = 1 << below(Int.bitWidth - bound.leadingZeroBitCount)
        return highest | below(highest)
    }
}
