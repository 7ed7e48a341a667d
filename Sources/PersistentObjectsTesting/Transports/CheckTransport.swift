// Transports: checks of implementations of `SyncTransport`. It knows transports, and must not know stores.

#if Sync
    public import Foundation
    public import PersistentSync

    /// Checks that a transport does what `SyncTransport` requires.
    ///
    /// It writes, lists, reads and removes entries of two new groups, one after another and concurrently, and removes them
    /// at the end. It needs some seconds and 50 MB. It is available with the package trait `Sync`.
    ///
    /// ```swift
    /// import PersistentObjectsTesting
    ///
    /// @Test func `the bucket is a transport`() async throws {
    ///     try await checkTransport(BucketTransport("test"))
    /// }
    /// ```
    ///
    /// It checks that
    /// - an entry is never replaced, also if devices write it at once;
    /// - a listed entry is complete, and has the bytes that were written, also 8 MiB;
    /// - each written entry is listed, also after a cursor, while entries are written;
    /// - offsets, unknown names and removed entries have the required results;
    /// - all functions end within 100 milliseconds when their task is cancelled.
    ///
    /// - Throws: `TransportProblems` with everything that was found.
    public func checkTransport(_ transport: some SyncTransport) async throws {
        let check = TransportCheck(transport)
        await check.run("names that do not exist") { try await check.checkUnknown() }
        await check.run("the bytes of entries") { try await check.checkBytes() }
        await check.run("writing an entry again") { try await check.checkRepeated() }
        await check.run("removing entries") { try await check.checkRemoved() }
        await check.run("writing one entry at once") { try await check.checkRace() }
        await check.run("reading during writes") { try await check.checkPartial() }
        await check.run("listing after cursors") { try await check.checkCursors() }
        await check.run("cancelled tasks") { try await check.checkCancellation() }
        await check.run("removing all entries") { try await check.removeAll() }
        let problems = check.problems
        if !problems.isEmpty { throw TransportProblems(problems: problems) }
    }

    /// What a transport does wrong.
    ///
    /// ```swift
    /// do {
    ///     try await checkTransport(BucketTransport("test"))
    /// } catch let error as TransportProblems {
    ///     for problem in error.problems { print(problem) }
    /// }
    /// ```
    public struct TransportProblems: Error, Sendable, CustomStringConvertible {
        /// A sentence for each problem.
        public let problems: [String]

        /// All problems, one in each line.
        public var description: String { problems.joined(separator: "\n") }
    }

    extension TransportProblems: LocalizedError {
        /// The same as `description`.
        public var errorDescription: String? { description }
    }
#endif
