public import Observation

/// The results of a query, kept up to date on the main actor: for view models and views.
///
/// ```swift
/// @MainActor @Observable final class Roster {
///     let people = LiveQuery(Person.where { $0.age > 17 }.order(by: \.lastName))
/// }
/// ```
///
/// The query runs when one of the properties is first read, so `results` is complete from the first read, and again
/// after each commit that matters, as ``QueryUpdates`` describes. It is `Observable`: SwiftUI redraws views that read
/// `results` when the query finds other objects, when their order changes, and also when only their values change,
/// whether or not their class is `@Observable`.
///
/// The objects are the instances that `Person.find…` returns on the main actor. An edit is visible in the object at
/// once; `results` follows after the save, when the main actor is free. The live query ends with its last reference.
@MainActor
public final class LiveQuery<T: Persistent>: Observable {
    private let registrar = ObservationRegistrar()
    private var watched: Query<T>
    private var found: [T] = []
    private var failure: (any Error)?
    private var last: QueryUpdate<T>?
    private var follower: QueryFollower?
    private var task: Task<Void, Never>?
    private var hasBegun = false
    /// Whether the query has succeeded before.
    private var hasFound = false

    /// Creates a live query without running the query.
    public init(_ query: Query<T>) { watched = query }

    deinit { task?.cancel() }

    /// The objects that the query finds, in its order; after an error, the previous objects.
    public var results: [T] { read(\.results, \.found) }

    /// The error of the query's last run; nil if it succeeded.
    ///
    /// The query runs again after the next commit that matters.
    public var error: (any Error)? { read(\.error, \.failure) }

    /// The difference between `results` and the previous results; nil before the first run.
    ///
    /// Use it for table views and animations.
    public var lastUpdate: QueryUpdate<T>? { read(\.lastUpdate, \.last) }

    /// Whether `results` follows commits.
    ///
    /// It is false after `stop()`, when the store is closed, and if the query is invalid and can never run.
    public var isWatching: Bool { read(\.isWatching, \.isFollowing) }

    private var isFollowing: Bool { follower != nil }

    /// The query. Setting another query runs it at once, even after `stop()`.
    ///
    /// A search field can set it, for example.
    public var query: Query<T> {
        get {
            registrar.access(self, keyPath: \.query)
            return watched
        }
        set {
            registrar.withMutation(of: self, keyPath: \.query) { watched = newValue }
            guard hasBegun else { return }
            restart()
        }
    }

    /// Runs the query again now, and restarts the live query if it has ended.
    public func refresh() {
        guard hasBegun, follower != nil else {
            hasBegun = true
            return restart()
        }
        take(.all)
    }

    /// Stops updating, leaving `results` as it is.
    ///
    /// Setting another `query`, or calling `refresh()`, restarts it.
    public func stop() {
        hasBegun = true
        end()
    }

    private func read<V>(_ property: KeyPath<LiveQuery, V>, _ value: KeyPath<LiveQuery, V>) -> V {
        // This precedes the registration, so that the observer is not notified of the first run.
        if !hasBegun {
            hasBegun = true
            restart()
        }
        registrar.access(self, keyPath: property)
        return self[keyPath: value]
    }

    private func end() {
        task?.cancel()
        task = nil
        guard follower != nil else { return }
        registrar.withMutation(of: self, keyPath: \.isWatching) { follower = nil }
    }

    /// Runs the query, and follows it.
    private func restart() {
        end()
        do {
            let session = try CurrentSession.session(for: watched.definition.home)
            let ids = hasFound ? found.map { $0.object.rowID } : nil
            let follower = try QueryFollower(watched.definition, session, from: ids)
            registrar.withMutation(of: self, keyPath: \.isWatching) { self.follower = follower }
            follow(follower.watch)
        } catch {
            return fail(error)
        }
        advance { try $0.first() }
    }

    private func follow(_ watch: QueryWatch) {
        task = Task { [weak self] in
            while let news = await watch.next(isolation: MainActor.shared) {
                // Ends if the live query was released or now watches another query.
                guard let self, self.follower?.watch === watch else { return }
                self.take(news)
            }
            guard let self, self.follower?.watch === watch else { return }
            self.end()
        }
    }

    private func take(_ news: QueryNews) {
        guard let follower, !follower.session.gate.hasEnded else { return end() }
        advance { try $0.update(news) }
    }

    private func advance(_ body: (inout QueryFollower) throws -> QueryUpdate<T>?) {
        // A copy is updated, so that user code that runs inside, such as `didLoad`, sees a consistent state.
        guard var current = follower else { return }
        let result = Result { try body(&current) }
        guard follower?.watch === current.watch else { return }
        follower = current
        switch result {
        case .success(let update):
            if failure != nil { registrar.withMutation(of: self, keyPath: \.error) { failure = nil } }
            if let update { show(update) }
        case .failure(let error): fail(error)
        }
    }

    private func show(_ update: QueryUpdate<T>) {
        hasFound = true
        registrar.withMutation(of: self, keyPath: \.lastUpdate) { last = update }
        // Observers are notified even if the list is the same, because rows of changed objects must be drawn again.
        registrar.withMutation(of: self, keyPath: \.results) { found = update.objects }
    }

    private func fail(_ error: any Error) {
        registrar.withMutation(of: self, keyPath: \.error) { failure = error }
    }
}
