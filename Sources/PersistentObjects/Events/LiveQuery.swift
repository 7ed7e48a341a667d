public import Observation

/// What a query finds, kept up to date on the main actor: for view models and views.
///
/// ```swift
/// @MainActor @Observable final class Roster {
///     let people = LiveQuery(Person.where { $0.age > 17 }.order(by: \.lastName))
/// }
/// ```
///
/// The query is asked when one of the properties is first read, so that
/// `results` is complete from the beginning, and again after each commit that
/// matters, as ``QueryUpdates`` says. It is `Observable`: SwiftUI draws again
/// what reads `results` when other objects are found, when their order changes,
/// and also when only values of them have changed, whether their own class is
/// `@Observable` or not.
///
/// The objects are those that `Person.find…` gives on the main actor. An edit of
/// one is seen at once in the object; `results` follows after its save, when the
/// main actor is free. It ends with its last reference.
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
    /// Whether the query was asked with success before.
    private var hasFound = false

    /// Asks nothing yet.
    public init(_ query: Query<T>) { watched = query }

    deinit { task?.cancel() }

    /// What the query finds, in its order; after an error what it found before.
    public var results: [T] { read(\.results, \.found) }

    /// Why the query could not be asked when it was asked last; nil where it could. After the next commit that matters
    /// it is asked again.
    public var error: (any Error)? { read(\.error, \.failure) }

    /// How `results` differs from what was found before, for table views and animations; nil before the first answer.
    public var lastUpdate: QueryUpdate<T>? { read(\.lastUpdate, \.last) }

    /// Whether `results` follows what is committed: not after `stop()`, when the store is closed, and where the query can
    /// never be asked, since something is wrong with it.
    public var isWatching: Bool { read(\.isWatching, \.isFollowing) }

    private var isFollowing: Bool { follower != nil }

    /// The query. Another one is asked at once, also after `stop()`: what a search field is for.
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

    /// Asks the query again now, and begins anew where it has ended.
    public func refresh() {
        guard hasBegun, follower != nil else {
            hasBegun = true
            return restart()
        }
        take(.all)
    }

    /// Ends it: `results` stays as it is. Another `query`, or `refresh()`, begins anew.
    public func stop() {
        hasBegun = true
        end()
    }

    private func read<V>(_ property: KeyPath<LiveQuery, V>, _ value: KeyPath<LiveQuery, V>) -> V {
        // Before anybody is noted who would be told of it.
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

    /// Asks the query, and goes on with it.
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
        ask { try $0.first() }
    }

    private func follow(_ watch: QueryWatch) {
        task = Task { [weak self] in
            while let news = await watch.next(isolation: MainActor.shared) {
                // Another query is watched by now, or nobody looks on.
                guard let self, self.follower?.watch === watch else { return }
                self.take(news)
            }
            guard let self, self.follower?.watch === watch else { return }
            self.end()
        }
    }

    private func take(_ news: QueryNews) {
        guard let follower, !follower.session.gate.hasEnded else { return end() }
        ask { try $0.update(news) }
    }

    private func ask(_ body: (inout QueryFollower) throws -> QueryUpdate<T>?) {
        // What the user's code does meanwhile, such as `didLoad`, finds it whole.
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
        // Also where the list is the same: rows are drawn again whose objects have changed.
        registrar.withMutation(of: self, keyPath: \.results) { found = update.objects }
    }

    private func fail(_ error: any Error) {
        registrar.withMutation(of: self, keyPath: \.error) { failure = error }
    }
}
