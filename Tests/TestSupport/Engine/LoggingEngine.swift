package import StoreEngine

/// A second engine: SQLite behind a wall, which gives its rows as cells, says what it was asked, and can be told to lack
/// what other engines lack.
///
/// Nothing of SQLite's gets past the wall: what works on it works on any engine that keeps the protocols' promises.
package final class LoggingEngine: Engine {
    package let name = "Logging"
    package let capabilities: Capabilities
    /// What its connections were asked, where somebody wants to know.
    private let calls: Recorder<String>?
    /// Called before each call: a place for what others do meanwhile.
    private let onCall: (@Sendable (String) -> Void)?
    /// What goes wrong where somebody says so.
    private let faults: EngineFaults?

    /// - Parameters:
    ///   - lacking: What it cannot do.
    ///   - calls: Gets what its connections are asked; nil where nobody wants to know.
    ///   - onCall: Called with what its connections are asked, before they do it.
    ///   - faults: What goes wrong in its connections; nil where nothing does.
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
        let connection = try SQLiteEngine().open(location, options: options, expecting: expected)
        note("connect")
        return LoggingConnection(connection, self)
    }

    /// Notes a call that can fail, and fails where it is its turn.
    func ask(_ call: @autoclosure () -> String) throws(StoreError) {
        note(call())
        guard faults?.isDue(.call) != true else { throw .engine(EngineFaults.code, message: "disk I/O error") }
    }

    /// The same of a binding.
    func askBinding() throws(ValueFault) {
        guard faults?.isDue(.binding) != true else { throw .engine(code: EngineFaults.code) }
    }

    /// The value that a column gives: another one where it is its turn.
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

/// For `PO_TEST_ENGINE=logging`: called before the first test.
@_cdecl("po_choose_logging_engine")
public func chooseLoggingEngine() { StandardEngine.choose(LoggingEngine()) }
