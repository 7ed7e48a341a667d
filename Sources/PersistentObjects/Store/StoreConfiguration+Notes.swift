#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

extension Store.Configuration {
    /// Writes a line to standard error.
    public static let noteToStandardError: @Sendable (String) -> Void = { text in
        let line = Array("PersistentObjects: \(text)\n".utf8)
        // A note that cannot be written is dropped.
        _ = line.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
    }
}
