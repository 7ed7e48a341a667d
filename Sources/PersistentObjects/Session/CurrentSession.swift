internal import Foundation
internal import StoreEngine
internal import Synchronization

/// Which session a call without one belongs to.
package enum CurrentSession {
    /// Not an optional, whose copy takes four times as long.
    @TaskLocal private static var bound = Binding(nil)

    private final class Binding: @unchecked Sendable {  // the session's gate sees to it that uses do not overlap
        private let held: Session?
        /// The session where it is not kept alive; see `withoutKeeping(_:)`.
        private let ending: EndingSession?
        /// The sessions around it, the nearest first: those that have a transaction under way.
        let outer: Binding?

        /// Whether what is written to other stores has nothing to do with transactions around it.
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

        /// Nil if there is none, or if it was released.
        @inline(__always)
        var session: Session? { held ?? ending?.session }

        /// The session's store, where that is still there.
        var store: Store? { held?.store ?? ending?.store }

        /// Throws if there was a session, of the store if one is given, that was released.
        func checkHasNotGone(of store: Store? = nil) throws {
            guard let ending, ending.session == nil, store == nil || store === ending.store else { return }
            throw StoreError(.sessionEnded, "The session has ended. Use objects and calls in an open session")
        }
    }

    /// A session that may end, and go, while a task is still bound to it.
    private final class EndingSession: @unchecked Sendable {  // weak references are read by several threads at once
        private(set) weak var session: Session?
        private(set) weak var store: Store?

        init(_ session: Session) { (self.session, store) = (session, session.store) }
    }

    /// How many sessions are bound at this moment, in all tasks.
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
            // A connection's one call for other threads. The session, which has it, is held until the handler is gone.
            binding.session?.connection.interrupt()
        }
    }

    /// The session of another store that has a transaction under way around this call; nil where there is none.
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

    /// What `body` starts is bound to the session as everything here is, but does not keep it alive: a task of the
    /// library's that waits, or that is cancelled and gets no turn, would keep the session's file open for as long.
    static func withoutKeeping<R>(_ body: () throws -> R) rethrows -> R {
        let bound = bound
        guard let session = bound.session else { return try body() }
        return try $bound.withValue(Binding(ending: session, isIndependent: bound.isIndependent)) { try body() }
    }

    /// The session bound to the task, else the default store's for calls outside.
    static func session() throws -> Session {
        let bound = bound
        if let session = bound.session { return session }
        try bound.checkHasNotGone()
        return try Store.default.ownSession()
    }

    /// The session for calls on a store: the one bound to the task where it is the store's, else the store's own.
    static func session(of store: Store) throws -> Session {
        let bound = bound
        if let session = bound.session, session.store === store { return session }
        try bound.checkHasNotGone(of: store)
        return try store.ownSession()
    }

    /// The session for a class: the one bound to the task, else that of the class's store for calls outside.
    static func session(for type: PersistentObject.Type) throws -> Session {
        let own = type.store
        let bound = bound
        if let session = bound.session, own == nil || own === session.store { return session }
        try bound.checkHasNotGone(of: own)
        let store = own ?? Store.default
        #if DEBUG
            noteStrayCall(on: store, for: type)
        #endif
        return try store.ownSession()
    }

    /// The store of a class's session, which need not be open.
    static func store(for type: PersistentObject.Type) -> Store { type.store ?? bound.store ?? Store.default }

    #if DEBUG
        /// Once in a process is enough: the call may be meant.
        private static let hasNoted = Atomic<Bool>(false)

        /// Detached tasks, dispatch queues and threads do not see the task's session: they get other objects.
        private static func noteStrayCall(on store: Store, for type: PersistentObject.Type) {
            guard bound.session == nil, boundCount.load(ordering: .relaxed) > 0, !Thread.isMainThread,
                !hasNoted.exchange(true, ordering: .relaxed)
            else { return }
            store.configuration.onNote(
                "\(type) is used in the default store while a session is open elsewhere. A detached task or a "
                    + "queue does not see the session of withSession. Open a session there")
        }
    #endif
}
