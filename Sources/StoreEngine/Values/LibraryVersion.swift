/// The version of the library.
package enum LibraryVersion {
    /// The version, as written to files and messages.
    package static let current = "1.0.0"
}
