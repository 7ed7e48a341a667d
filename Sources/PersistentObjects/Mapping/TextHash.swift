/// A hash that represents a string in a file or in a name.
enum TextHash {
    /// Two FNV-1a hashes of 64 bits (Fowler, Noll and Vo; draft-eastlake-fnv), the second with another offset basis.
    static func bytes(_ text: String) -> [UInt8] {
        let hashes = [0xcbf2_9ce4_8422_2325, 0x8422_2325_cbf2_9ce4 as UInt64].map { start in
            text.utf8.reduce(start) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
        }
        return hashes.flatMap { hash in (0..<8).map { UInt8(truncatingIfNeeded: hash >> ($0 * 8)) } }
    }
}
