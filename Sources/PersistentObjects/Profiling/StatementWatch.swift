internal import StoreEngine

/// The statements of one connection, and the calls that ran them.
///
/// Only the connection's current user accesses it; sessions that share a connection take turns. During a call, profiles
/// are only collected, because locks may be held and a transaction may be open.
final class StatementWatch: StatementWatcher {
    /// A call in progress.
    private struct Frame {
        let function: StaticString
        let type: PersistentObject.Type?
        let part: StaticString
        let name: String?
        let session: Int
    }

    /// The maximum number of statements reported for one call, because a call that runs millions must not fill the
    /// memory.
    static let limit = 10_000

    let sink: StatementSink
    private let explain: @Sendable (String) throws -> String
    private var frames: [Frame] = []
    private var profiles: [StatementProfile] = []
    private var leftOut = 0
    #if canImport(os)
        private let signposts = StatementSignposts()
    #endif

    init(_ sink: StatementSink, explain: @escaping @Sendable (String) throws -> String) {
        self.sink = sink
        self.explain = explain
    }

    /// Begins a call; see `Session.enter` for its name.
    func begin(
        _ function: StaticString, of type: PersistentObject.Type?, in part: StaticString, named name: String?,
        _ session: Int
    ) {
        frames.append(Frame(function: function, type: type, part: part, name: name, session: session))
    }

    /// Ends the innermost call; returns whether it was the outermost call as well.
    func end() -> Bool {
        _ = frames.popLast()
        guard frames.isEmpty else { return false }
        if !profiles.isEmpty { sink.add(exchange(&profiles, with: [])) }
        if leftOut > 0 { sink.warnLeftOut(exchange(&leftOut, with: 0)) }
        return true
    }

    var wantsArguments: Bool { sink.showsArguments }

    func willRun() {
        #if canImport(os)
            signposts.begin()
        #endif
    }

    func didRun(_ report: StatementReport) {
        #if canImport(os)
            signposts.end(report.sql, call)
        #endif
        guard sink.wants(report.duration), !StatementSink.isReporting else { return }
        guard profiles.count < StatementWatch.limit else { leftOut += 1; return }
        profiles.append(
            StatementProfile(
                sql: report.sql, arguments: sink.showsArguments ? report.arguments : nil, duration: report.duration,
                rows: report.rows, changedRows: report.changedRows, scannedRows: report.scans.rows,
                sorts: report.scans.sorts, call: call, session: frames.last?.session, error: report.error,
                explain: report.kind == .statement ? explain : nil))
    }

    /// The innermost call that has a name.
    private var call: String? {
        guard let frame = frames.last(where: { $0.name != nil || $0.function.utf8CodeUnitCount > 0 }) else {
            return nil
        }
        // Callers do not write `isolation:`.
        let name = frame.name ?? "\(frame.part)\(frame.function)".replacing("isolation:", with: "")
        guard let type = frame.type else { return frame.name ?? "Session.\(name)" }
        return "\(type).\(name)"
    }
}
