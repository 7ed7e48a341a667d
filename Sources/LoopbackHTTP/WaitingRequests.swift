internal import CMicrohttpd
internal import Foundation
internal import Synchronization

/// The requests that wait for news.
final class WaitingRequests: Sendable {
    struct Waiting: Sendable {
        let topic: String
        /// Of a connection.
        let address: UInt
        let deadline: ContinuousClock.Instant

        var isLate: Bool { deadline <= .now }
    }

    enum Addition { case waits, full, again }

    private struct Content {
        var requests: [Waiting] = []
        var generation = 0
        var hasEnded = false
        /// Whether a thread resumes late requests.
        var isWatched = false

        /// Must be called with the lock held: a connection must not end in between.
        mutating func resume(_ isResumed: (Waiting) -> Bool) {
            for request in requests where isResumed(request) {
                MHD_resume_connection(OpaquePointer(bitPattern: request.address))
            }
            requests.removeAll(where: isResumed)
        }
    }

    private let content = Mutex(Content())
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    /// How often requests were woken. News that arrive while a request is handled are not lost, because it changes.
    var generation: Int { content.withLock { $0.generation } }

    func add(
        _ topic: String, _ address: UInt, _ deadline: ContinuousClock.Instant, since generation: Int
    ) -> Addition {
        content.withLock { content in
            guard !content.hasEnded, content.requests.count < limit else { return .full }
            guard content.generation == generation else { return .again }
            MHD_suspend_connection(OpaquePointer(bitPattern: address))
            content.requests.append(Waiting(topic: topic, address: address, deadline: deadline))
            if !content.isWatched {
                content.isWatched = true
                // A separate thread, because tasks can use all threads of the pool.
                Thread.detachNewThread { [self] in watch() }
            }
            return .waits
        }
    }

    /// Resumes late requests, as long as requests wait.
    private func watch() {
        repeat {
            // A request may wait half a second longer than it asked for. The thread is this object's own, and a request with
            // an earlier end needs no signal.
            Thread.sleep(forTimeInterval: 0.5)
            content.withLock { $0.resume { $0.isLate } }
        } while content.withLock { content in
            content.isWatched = !content.requests.isEmpty
            return content.isWatched
        }
    }

    /// Lets the requests that wait for a topic be handled again.
    func wake(_ topic: String) {
        content.withLock { content in
            content.generation += 1
            content.resume { $0.topic == topic }
        }
    }

    /// Lets all requests be answered, now and from now on.
    func end() {
        content.withLock { content in
            content.hasEnded = true
            content.resume { _ in true }
        }
    }
}
