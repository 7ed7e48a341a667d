internal import Foundation
internal import LoopbackHTTP
internal import PersistentInspector
internal import Synchronization

/// The changes of a store, for the pages that are open in a browser. The store is looked at while there are such pages.
final class ChangeFeed: Sendable {
    /// The number of requests that wait. If there are more, for example of pages that were closed meanwhile, all are
    /// answered, and the pages that are still open send new ones.
    static let listeners = 8
    /// What the requests wait for.
    static let topic = "changes"
    /// The seconds without a request after which the store is not looked at.
    private static let idle = 30.0

    struct Line: Sendable {
        let version: Int
        let time: String
        let text: String
    }

    private struct State {
        var version = 0
        var lines: [Line] = []
        /// The times at which the requests that wait started.
        var waiting: [Date] = []
        var isRunning = false
        var isStopped = false
        var lastRequest = Date.distantPast
        var lastLineRequest = Date.distantPast
        /// Lets the requests that wait be asked again.
        var wake: (@Sendable () -> Void)?
    }

    private let path: String
    private let patience: TimeInterval
    private let state = Mutex(State())

    /// - Parameter patience: The seconds after which a request is answered without a change.
    init(path: String, patience: TimeInterval = 20) {
        (self.path, self.patience) = (path, patience)
    }

    /// - Parameter wake: Lets the requests that wait be asked again.
    func start(_ wake: @escaping @Sendable () -> Void) { state.withLock { $0.wake = wake } }

    func stop() {
        state.withLock {
            $0.isStopped = true
            $0.wake = nil
        }
    }

    /// The changes since the version in a request; nil if the request must wait.
    func response(to request: Request) -> Response? {
        let since = request.query["since"].flatMap { Int($0) }
        let wantsLines = request.query["lines"] != nil
        let (response, starts) = state.withLock { state -> (Response?, Bool) in
            let now = Date()
            state.lastRequest = now
            if wantsLines { state.lastLineRequest = now }
            let starts = !state.isRunning && !state.isStopped
            if starts { state.isRunning = true }
            let isNews = since.map { $0 != state.version } ?? true
            if isNews || request.hasWaited || state.isStopped {
                return (ChangeFeed.response(state, since, wantsLines), starts)
            }
            guard state.waiting.count < 2 * ChangeFeed.listeners else {
                return (.refused(503, "Too many pages wait for changes."), starts)
            }
            state.waiting.append(now)
            return (nil, starts)
        }
        if starts { Thread.detachNewThread { [self] in look() } }
        return response
    }

    private static func response(_ state: State, _ since: Int?, _ wantsLines: Bool) -> Response {
        let lines = wantsLines ? state.lines.filter { line in since.map { line.version > $0 } ?? false } : []
        let answer = Answer(
            version: state.version, lines: lines.map { Answer.Line(time: $0.time, text: $0.text) })
        let body = (try? JSONEncoder().encode(answer)).map(Array.init) ?? []
        return Response(status: 200, type: "application/json; charset=utf-8", body: body)
    }

    private struct Answer: Encodable {
        struct Line: Encodable {
            let time: String
            let text: String
        }
        let version: Int
        let lines: [Line]
    }

    /// Looks at the store until there are no more requests.
    private func look() {
        var changes = FileChanges(path: path)
        while true {
            let comparesObjects = state.withLock {
                $0.lastLineRequest.timeIntervalSinceNow > -ChangeFeed.idle
            }
            let (isChanged, lines) = changes.look(comparesObjects: comparesObjects)
            let (isDone, wakes) = state.withLock { state -> (Bool, Bool) in
                if isChanged {
                    state.version += 1
                    let time = Date().formatted(.iso8601.time(includingFractionalSeconds: false))
                    state.lines += lines.map { Line(version: state.version, time: time, text: $0) }
                    state.lines = state.lines.suffix(200)
                }
                let isIdle = state.waiting.isEmpty && state.lastRequest.timeIntervalSinceNow < -ChangeFeed.idle
                if isIdle || state.isStopped { state.isRunning = false }
                let isLate = state.waiting.first.map { $0.timeIntervalSinceNow < -patience } ?? false
                let areMany = state.waiting.count > ChangeFeed.listeners
                // All are answered then. Requests of pages that were closed end without being asked again.
                let wakes = isChanged || isLate || areMany
                if wakes { state.waiting = [] }
                return (!state.isRunning, wakes)
            }
            if wakes { state.withLock { $0.wake }?() }
            if isDone { return }
            // Nothing reports commits to a file without its classes. The thread is this feed's own.
            Thread.sleep(forTimeInterval: changes.interval)
        }
    }
}
