/// Creates enumeration values without naming their cases.
enum EnumerationMemory {
    /// The values of an enumeration without payloads: its tags are 0, 1, 2, …
    static func values<T>(_ type: T.Type, caseCount: Int) -> [T] {
        // Up to 256 cases the tag is one byte; larger enumerations, and C enumerations, are not created here.
        guard MemoryLayout<T>.size == 1, caseCount > 1, caseCount <= 256 else { return [] }
        return (0..<caseCount).map { tag in
            withUnsafeBytes(of: UInt8(truncatingIfNeeded: tag)) { $0.load(as: T.self) }
        }
    }
}
