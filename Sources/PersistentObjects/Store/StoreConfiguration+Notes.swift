internal import Foundation

extension Store.Configuration {
    /// Writes a line to standard error.
    public static let noteToStandardError: @Sendable (String) -> Void = { text in
        // A note that cannot be written is dropped.
        try? FileHandle.standardError.write(contentsOf: Data("PersistentObjects: \(text)\n".utf8))
    }
}
