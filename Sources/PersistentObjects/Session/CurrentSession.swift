internal import Foundation
internal import StoreEngine
internal import Synchronization

/// Determines the session of a call that does not specify a session.
package enum CurrentSession {
    /// Not an optional, because copying an optional takes four times as long.
    @TaskLocal private static var bound = Binding(nil)

    private final class Binding: @unchecked Sendable {  // the session's gate refuses overlapping uses
        private let held: Session?
        /// The session if the binding does not retain it; see `withoutKeeping(_:)`.
        private let ending: EndingSession?
        /// The nearest enclosing binding whose session has a transaction in progress.
        let outer: Binding?

        /// Whether writes to other stores are independent of the enclosing transactions.
        let isIndependent: Bool

        init(_ session: Session?, in outer: Binding? = nil, isIndependent: Bool = false) {
            held = session
            ending = nil
            self.outer = outer?.session?.level == nil ? outer?.outer : outer
            self.isIndependent = isIndependent || outer?.isIndependent ?? false
        }

        init(ending session: Session, isIndependent: Bool) {
            (held, ending, outer) = (nil, EndingSession(session), nil)
            self.isIndependent = isIndependent
        }

        /// Nil if there is no session, or if it was released.
        @inline(__always)
        var session: Session? { held ?? ending?.session }

        /// The session's store; nil if it was released.
        var store: Store? { held?.store ?? ending?.store }

        /// Throws if the bound session was released; if a store is given, only if the session belonged to it.
        func checkHasNotEnded(of store: Store? = nil) throws {
            guard let ending, ending.session == nil, store == nil || store === ending.store else { return }
            throw StoreError(.sessionEnded, "The session has ended. Use objects and calls in an open session")
        }
    }

    /// A session that may end and be released while a task is still bound to it.
    private final class EndingSession: @unchecked Sendable {  // weak references can be read on any thread
        private(set) weak var session: Session?
        private(set) weak var store: Store?

        init(_ session: Session) { (self.session, store) = (session, session.store) }
    }

    /// The number of sessions that are currently bound in all tasks.
    private static let boundCount = Atomic<Int>(0)

    package static func with<R>(_ session: Session, _ body: () throws -> R) rethrows -> R {
        boundCount.add(1, ordering: .relaxed)
        defer { boundCount.subtract(1, ordering: .relaxed) }
        return try $bound.withValue(Binding(session, in: bound)) { try body() }
    }

    static func with<R>(
        _ session: Session, isolation: isolated (any Actor)?, _ body: () async throws -> R
    ) async rethrows -> R {
        boundCount.add(1, ordering: .relaxed)
        defer { boundCount.subtract(1, ordering: .relaxed) }
        let binding = Binding(session, in: bound)
        return try await withTaskCancellationHandler {
            try await $bound.withValue(binding, operation: { try await body() }, isolation: isolation)
        } onCancel: {
            // The only method of a connection that other threads may call. The binding retains the session, and so the
            // connection, until the handler is removed.
            binding.session?.connection.interrupt()
        }
    }

    /// The session of another store whose transaction encloses this call; nil if there is no such transaction.
    static func transaction(notIn store: Store) -> Session? {
        var binding = bound
        while !binding.isIndependent {
            if let session = binding.session, session.store !== store, session.level != nil { return session }
            guard let outer = binding.outer else { break }
            binding = outer
        }
        return nil
    }

    static func independently<R>(_ body: () throws -> R) rethrows -> R {
        try $bound.withValue(Binding(bound.session, in: bound, isIndependent: true)) { try body() }
    }

    /// Calls `body`, whose tasks are bound to the current session without retaining it. A task of the library that
    /// waits would otherwise keep the session's file open.
    static func withoutKeeping<R>(_ body: () throws -> R) rethrows -> R {
        let bound = bound
        guard let session = bound.session else { return try body() }
        return try $bound.withValue(Binding(ending: session, isIndependent: bound.isIndependent)) { try body() }
    }

    /// The session bound to the task, otherwise the default store's session for calls outside `withSession`.
    static func session() throws -> Session {
        let bound = bound
        if let session = bound.session { return session }
        try bound.checkHasNotEnded()
        return try Store.default.ownSession()
    }

    /// The session for calls on a store: the session bound to the task if it belongs to the store, otherwise the
    /// store's session for calls outside `withSession`.
    static func session(of store: Store) throws -> Session {
        let bound = bound
        if let session = bound.session, session.store === store { return session }
        try bound.checkHasNotEnded(of: store)
        return try store.ownSession()
    }

    /// The session for a class: the session bound to the task if it belongs to the class's store, otherwise that
    /// store's session for calls outside `withSession`.
    static func session(for type: PersistentObject.Type) throws -> Session {
        let own = type.store
        let bound = bound
        if let session = bound.session, own == nil || own === session.store { return session }
        try bound.checkHasNotEnded(of: own)
        let store = own ?? Store.default
        #if DEBUG
            warnStrayCall(on: store, for: type)
        #endif
        return try store.ownSession()
    }

    /// The store of a class's session, which need not be open.
    static func store(for type: PersistentObject.Type) -> Store { type.store ?? bound.store ?? Store.default }

    #if DEBUG
        /// Whether the note was sent. It is sent once in a process, because the call may be intended.
        private static let hasReported = Atomic<Bool>(false)

        /// Notes a call in a detached task, dispatch queue or thread, which does not see the task's session and so gets
        /// other objects.
        private static func warnStrayCall(on store: Store, for type: PersistentObject.Type) {
            guard bound.session == nil, boundCount.load(ordering: .relaxed) > 0, !Thread.isMainThread,
                !hasReported.exchange(true, ordering: .relaxed)
            else { return }
            store.configuration.onNote(
                "\(type) is used in the default store while a session is open elsewhere. A detached task or a "
                    + "queue does not see the session of withSession. Open a session there")
        }
    #endif
}
