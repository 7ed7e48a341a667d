internal import CSQLite

/// Decides for each statement whether its triggers may fire recursively.
///
/// By default SQLite's triggers do not fire recursively, and triggers of other programs rely on that. For example, a
/// trigger that updates a timestamp of the updated row would fire itself endlessly. Delete rules need recursive
/// triggers, because a trigger that fires itself deletes a chain of rows, and because `INSERT OR REPLACE` fires the
/// delete triggers of the replaced rows only with this setting.
///
/// SQLite reads the setting when it compiles a statement, so each statement gets the setting that its triggers need.
/// Between two statements the setting is on. If SQLite recompiles a statement in a step, a trigger of another program
/// is rejected, and the step is repeated with the right setting.
final class TriggerRecursion {
    private let handle: OpaquePointer
    /// The triggers of the statement that is being compiled, and whether it writes.
    private var fired: Set<String> = []
    private var writes = false
    /// Whether a known compilation is in progress, so that no trigger has to be rejected.
    private var isCompiling = false
    /// Whether a step was rejected because of another program's trigger.
    private var hasRefused = false
    /// Whether the setting itself is being changed, which no guard may reject.
    private(set) var isSetting = false

    /// Whether this version of SQLite changes the setting only when the pragma runs.
    private var needsRun = false

    /// Determines once, before the connection can be traced, when SQLite changes the setting.
    init(_ handle: OpaquePointer) {
        self.handle = handle
        set(true)
        needsRun = !isOn
    }

    /// The authorizer's result for an action of a statement: a rejection, or `SQLITE_OK`.
    ///
    /// - Parameter trigger: The trigger or view that performs the action; nil for the statement itself.
    func answer(_ action: Int32, of trigger: String?) -> Int32 {
        guard let trigger else {
            writes = true
            return SQLITE_OK
        }
        if isCompiling {
            fired.insert(trigger)
        } else if action != SQLITE_SELECT, !OwnTriggers.contains(trigger) {
            hasRefused = true
            return SQLITE_DENY
        }
        return SQLITE_OK
    }

    /// Compiles a statement with the setting that its triggers need.
    ///
    /// - Parameters:
    ///   - compile: Compiles the statement; nil if that fails. It is called up to twice.
    ///   - discard: Releases a compiled statement that is not needed.
    func settled<R>(_ compile: () -> R?, discard: (R) -> Void) -> (statement: R?, isRecursive: Bool) {
        guard let first = compiling(compile) else { return (nil, true) }
        let all = fired
        guard firesOthers, !all.contains(where: OwnTriggers.cascades) else { return (first, true) }
        set(false)
        defer { set(true) }
        // Triggers that are missing now are triggers of replaced rows. If one is the library's, it must run.
        guard let second = compiling(compile) else { return (first, true) }
        guard all.subtracting(fired).contains(where: OwnTriggers.contains) else {
            discard(first)
            return (second, false)
        }
        discard(second)
        return (first, true)
    }

    /// Whether the last compiled statement writes and fires triggers of other programs.
    var firesOthers: Bool { writes && fired.contains { !OwnTriggers.contains($0) } }

    private func compiling<R>(_ compile: () -> R?) -> R? {
        fired.removeAll(keepingCapacity: true)
        writes = false
        isCompiling = true
        defer { isCompiling = false }
        return compile()
    }

    /// Whether a step was rejected because of another program's trigger since the last call.
    func takeRefusal() -> Bool {
        defer { hasRefused = false }
        return hasRefused
    }

    /// Repeats a statement's first step that was rejected because of a trigger; nil if it was rejected for another
    /// reason.
    func stepAgain(_ statement: OpaquePointer) -> Int32? {
        guard takeRefusal() else { return nil }
        let need = settled({ copy(of: statement) }, discard: { sqlite3_finalize($0) })
        sqlite3_finalize(need.statement)
        sqlite3_reset(statement)
        if !need.isRecursive { set(false) }
        defer { if !need.isRecursive { set(true) } }
        isCompiling = true
        defer { isCompiling = false }
        return sqlite3_step(statement)
    }

    /// The triggers that a statement fires endlessly: other programs' triggers and, if there are none, the library's.
    func endlessTriggers(of sql: String) -> [String] {
        let statement = compiling { compiled(sql) }
        sqlite3_finalize(statement)
        let others = fired.filter { !OwnTriggers.contains($0) }
        return (others.isEmpty ? fired : others).sorted()
    }

    private func copy(of statement: OpaquePointer) -> OpaquePointer? {
        sqlite3_sql(statement).flatMap { compiled(String(cString: $0)) }
    }

    private func compiled(_ sql: String) -> OpaquePointer? {
        var statement: OpaquePointer?
        return sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK ? statement : nil
    }

    /// SQLite changes the setting when the pragma is compiled. Running it would recompile all statements, so it runs only
    /// if a version of SQLite needs that.
    private func set(_ isOn: Bool) {
        isSetting = true
        defer { isSetting = false }
        let pragma = compiled("PRAGMA recursive_triggers = \(isOn ? 1 : 0)")
        if needsRun { sqlite3_step(pragma) }
        sqlite3_finalize(pragma)
    }

    private var isOn: Bool {
        let pragma = compiled("PRAGMA recursive_triggers")
        defer { sqlite3_finalize(pragma) }
        return sqlite3_step(pragma) == SQLITE_ROW && sqlite3_column_int(pragma, 0) != 0
    }
}
