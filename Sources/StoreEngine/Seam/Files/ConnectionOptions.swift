/// How a connection is opened.
package struct ConnectionOptions: Sendable, Equatable {
    /// Whether a commit waits until the disk has it.
    package var isFullyDurable: Bool
    /// How long to wait for another process, in milliseconds.
    package var busyTimeout: Int32
    /// How long a statement may run; nil for as long as it takes.
    package var queryTimeout: Duration?
    /// Whether transactions that write keep others from writing, where they need not.
    package var writesAlone: Bool
    /// The permissions of the file, where it is made.
    package var filePermissions: UInt16
    /// What is done with the file.
    package var file: FileSettings
    /// The program's own functions and collations.
    package var additions: SQLAdditions

    /// Options; what is not said is as for a store that is told nothing.
    package init(
        isFullyDurable: Bool = true, busyTimeout: Int32 = 5000, queryTimeout: Duration? = nil,
        writesAlone: Bool = false, filePermissions: UInt16 = 0o600, file: FileSettings = FileSettings(),
        additions: SQLAdditions = SQLAdditions()
    ) {
        self.isFullyDurable = isFullyDurable
        self.busyTimeout = busyTimeout
        self.queryTimeout = queryTimeout
        self.writesAlone = writesAlone
        self.filePermissions = filePermissions
        self.file = file
        self.additions = additions
    }
}
