// Problems: what synchronization throws and reports. It knows text, and must not know what failed.

/// An error of synchronization, with what to do.
///
/// ```swift
/// do {
///     try await family.leave()
/// } catch let error as SyncError where error.code == .unsentChanges {
///     print(error)    // how many, what happened to them, what to do
/// }
/// ```
///
/// An error's description contains no values of objects, so it is safe to log.
public struct SyncError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure.
    public let code: Code
    /// The problem, what happened to the data, and what to do, in at most three sentences.
    public let message: String

    /// Creates an error.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// One line with the code and the message.
    public var description: String { "\(code): \(message)" }
}

extension SyncError {
    /// A kind of failure; new versions may add kinds.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The name of the kind.
        public let description: String

        private init(_ name: String) { description = name }

        /// The folder, service or server cannot be reached, or a file in it cannot be read or written.
        public static let notReachable = Code("notReachable")
        /// The invitation or token is not valid, the device is no member, or a role lacks a privilege.
        public static let notAuthorised = Code("notAuthorised")
        /// A batch is encrypted with a key that this device does not have.
        public static let wrongKey = Code("wrongKey")
        /// A batch is incomplete, was changed, or is not a batch.
        public static let damagedBatch = Code("damagedBatch")
        /// A change of another device has a time that is more than a day ahead.
        public static let fromTheFuture = Code("fromTheFuture")
        /// A value or a batch is larger than the limit, or the account has no space left.
        public static let quota = Code("quota")
        /// The members removed this device from the group.
        public static let retired = Code("retired")
        /// Two devices use a copy of one file, or the file was restored from a backup.
        public static let clonedDevice = Code("clonedDevice")
        /// Leaving the group would drop changes that no other device has.
        public static let unsentChanges = Code("unsentChanges")
        /// A newer version of the library wrote the batch.
        public static let newerFormat = Code("newerFormat")
        /// The class is not synced, or the object has no row and no key.
        public static let needsKey = Code("needsKey")
        /// The device's state, which is not in the store's file, cannot be read or written.
        public static let stateUnavailable = Code("stateUnavailable")
        /// The store is on a server, or the program cannot use the server of the transport.
        public static let unsupported = Code("unsupported")
    }
}
