internal import Foundation
internal import StoreEngine
internal import Synchronization

/// Which session a call without one belongs to.
package enum CurrentSession {
    /// Not an optional, whose copy takes four times as long.
    @TaskLocal private static var bound = Binding(nil)

    private final class Binding: @unchecked Sendable {  // the session's gate sees to it that uses do not overlap
        let session: Session?
        /// The sessions around it, the nearest first: those that have a transaction under way.
        let outer: Binding?

        /// Whether what is written to other stores has nothing to do with transactions around it.
        let isIndependent: Bool

        init(_ session: Session?, in outer: Binding? = nil, isIndependent: Bool = false) {
            self.session = session
            self.outer = outer?.session?.level == nil ? outer?.outer : outer
            self.isIndependent = isIndependent || outer?.isIndependent ?? false
        }
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

    /// The session bound to the task, else the default store's for calls outside.
    static func session() throws -> Session { try bound.session ?? Store.default.ownSession() }

    /// The session for calls on a store: the one bound to the task where it is the store's, else the store's own.
    static func session(of store: Store) throws -> Session {
        if let bound = bound.session, bound.store === store { return bound }
        return try store.ownSession()
    }

    /// The session for a class: the one bound to the task, else that of the class's store for calls outside.
    static func session(for type: PersistentObject.Type) throws -> Session {
        let own = type.store
        if let bound = bound.session, own == nil || own === bound.store { return bound }
        let store = own ?? Store.default
        #if DEBUG
            noteStrayCall(on: store, for: type)
        #endif
        return try store.ownSession()
    }

    /// The store of a class's session, which need not be open.
    static func store(for type: PersistentObject.Type) -> Store { type.store ?? bound.session?.store ?? Store.default }

    #if DEBUG
        /// Once in a process is enough: the call may be meant.
        private static let hasNoted = Atomic<Bool>(false)

        /// Detached tasks, dispatch queues and threads do not see the task's session: they get other objects.
        private static func noteStrayCall(on store: Store, for type: PersistentObject.Type) {
            guard bound.session == nil, boundCount.load(ordering: .relaxed) > 0, !Thread.isMainThread,
                !hasNoted.exchange(true, ordering: .relaxed)
            else { return }
            store.configuration.onNote(
                "\(type) is used in the default store while a session is open elsewhere; "
                    + "a detached task or a queue does not see the session of withSession; open one there")
        }
    #endif
}
