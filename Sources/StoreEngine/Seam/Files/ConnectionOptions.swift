/// The options for opening a connection.
package struct ConnectionOptions: Sendable, Equatable {
    /// Whether a commit waits until it is on the disk.
    package var isFullyDurable: Bool
    /// The maximum wait for other processes, in milliseconds.
    package var busyTimeout: Int32
    /// The maximum duration of a statement; nil for no limit.
    package var queryTimeout: Duration?
    /// Whether writing transactions exclude other writers, even if the engine does not require it.
    package var writesAlone: Bool
    /// The permissions of a newly created file.
    package var filePermissions: UInt16
    /// The file settings.
    package var file: FileSettings
    /// The program's own functions and collations.
    package var additions: SQLAdditions
    /// How long a server keeps the changes for a listener that does not read them.
    package var changesAreKept = Duration.seconds(600)
    /// The interval at which a replica is checked for commits.
    package var pollInterval = Duration.seconds(1)
    /// The server's replica, to which queries outside transactions go; nil for none.
    package var replica: ReplicaOptions?
    /// Whether a read-only connection also leaves the file's log and folder as they are. It reads a file with a log even
    /// if no other program has it open.
    package var leavesNoTrace = false

    /// Creates options; the defaults are those of a store without a configuration.
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
