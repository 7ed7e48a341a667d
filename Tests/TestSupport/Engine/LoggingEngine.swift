package import StoreEngine

/// A second engine, which wraps SQLite, returns rows as cells, logs its calls, and can lack capabilities.
///
/// It exposes nothing of SQLite, so code that works with it works with any engine that implements the protocols.
package final class LoggingEngine: Engine {
    package let name = "Logging"
    package let capabilities: Capabilities
    /// Receives the calls of its connections; nil for no log.
    private let calls: Recorder<String>?
    /// Called before each call, so that a test can act as another session meanwhile.
    private let onCall: (@Sendable (String) -> Void)?
    /// The faults of its connections; nil for none.
    private let faults: EngineFaults?

    /// - Parameters:
    ///   - lacking: The capabilities that it lacks.
    ///   - calls: Receives the calls of its connections; nil for no log.
    ///   - onCall: Called with each call of its connections, before it runs.
    ///   - faults: The faults of its connections; nil for none.
    package init(
        lacking: Capabilities = [], calls: Recorder<String>? = nil, onCall: (@Sendable (String) -> Void)? = nil,
        faults: EngineFaults? = nil
    ) {
        self.onCall = onCall
        self.faults = faults
        capabilities = SQLiteEngine().capabilities.subtracting(lacking)
        self.calls = calls
    }

    package func connect(
        _ location: StoreLocation, options: ConnectionOptions, expecting expected: FileIdentity?
    ) throws(StoreError) -> any Connection {
        let connection = try SQLiteEngine().open(
            location, options: TestEngine.options(options, at: location), expecting: expected)
        note("connect")
        return LoggingConnection(connection, self)
    }

    /// Logs a call that can fail, and throws if a fault is due.
    func ask(_ call: @autoclosure () -> String) throws(StoreError) {
        note(call())
        guard faults?.isDue(.call) != true else { throw .engine(EngineFaults.code, message: "disk I/O error") }
    }

    /// Throws if a fault of a binding is due.
    func askBinding() throws(ValueFault) {
        guard faults?.isDue(.binding) != true else { throw .engine(code: EngineFaults.code) }
    }

    /// Returns the value of a column, or a wrong value if a fault is due.
    func given(_ cell: Cell) -> Cell {
        guard let faults else { return cell }
        return faults.isDue(.value) ? EngineFaults.strange(cell) : faults.isDue(.missing) ? .null : cell
    }

    func note(_ call: @autoclosure () -> String) {
        guard calls != nil || onCall != nil else { return }
        let call = call()
        calls?.add(call)
        onCall?(call)
    }
}

/// Chooses the engine for `PO_TEST_ENGINE=logging`. It is called before the first test.
@_cdecl("po_choose_logging_engine")
public func chooseLoggingEngine() { StandardEngine.choose(LoggingEngine()) }
