/// Which version of the library this is.
package enum LibraryVersion {
    /// As it is told in files and messages.
    package static let current = "0.1.0"
}
