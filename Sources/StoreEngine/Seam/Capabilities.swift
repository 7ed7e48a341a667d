/// Capabilities that not every engine has.
///
/// If a capability is missing, the call that needs it throws an error that names the engine and the capability; see
/// `Connection.require(_:className:property:)`.
package struct Capabilities: OptionSet, Sendable {
    /// One bit for each capability.
    package let rawValue: UInt32

    /// Creates a set from these bits.
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Records the changes of transactions, and reverts them.
    package static let undo = Capabilities(rawValue: 1)
    /// Has a full-text search index.
    package static let search = Capabilities(rawValue: 2)
    /// Calls the program's Swift functions from SQL.
    package static let functions = Capabilities(rawValue: 4)
    /// Sorts text with the program's Swift functions.
    package static let collations = Capabilities(rawValue: 8)
    /// Reports the rows that a transaction has written. Without it, each commit is reported as one event of the kind
    /// `unknown`.
    package static let rowLog = Capabilities(rawValue: 16)
    /// Reports the tables and columns that a statement reads. Without it, each commit counts as affecting a watched
    /// query.
    package static let tablesRead = Capabilities(rawValue: 32)
    /// Explains how it finds the rows of a query.
    package static let explanation = Capabilities(rawValue: 64)
    /// Is a separate file, which can be copied, checked and shrunk.
    package static let upkeep = Capabilities(rawValue: 128)

    /// Assigns a number to each row of an existing table. Without it, classes over such tables declare the column of
    /// their ids.
    package static let rowNumbers = Capabilities(rawValue: 256)

    /// Has columns with values of any type.
    package static let anyValues = Capabilities(rawValue: 512)

    /// Reports the id of the last inserted row, regardless of later inserts by triggers. Without it, ids are reserved
    /// before rows are inserted.
    package static let insertedIDs = Capabilities(rawValue: 1024)

    /// Permits concurrent, serializable writers; if they conflict, one of them is restarted.
    package static let concurrentWriters = Capabilities(rawValue: 2048)

    /// Has triggers that write the history of rows, with values of any type.
    package static let history = Capabilities(rawValue: 4096)

    /// Encrypts its files.
    package static let encryption = Capabilities(rawValue: 8192)

    /// Encrypts the values in the history again without recording that.
    package static let sealedHistory = Capabilities(rawValue: 32768)

    /// Has triggers that capture changes for sync.
    package static let capture = Capabilities(rawValue: 16384)

    /// Restores recorded changes without running triggers. Without it, the triggers that write the history and record
    /// rows for subscribers run as for any write.
    package static let undoWithoutTriggers = Capabilities(rawValue: 65536)

    /// Divides a database into schemas, each of which can contain a store.
    package static let schemas = Capabilities(rawValue: 131072)

    /// Sends queries to a replica.
    package static let replicas = Capabilities(rawValue: 262144)

    /// All capabilities that an engine may lack.
    package static let all: Capabilities = [
        .undo, .search, .functions, .collations, .rowLog, .tablesRead, .explanation, .upkeep, .rowNumbers, .anyValues,
        .insertedIDs, .history, .sealedHistory, .encryption, .capture,
        .undoWithoutTriggers,
    ]

    /// The description of the missing capability, which follows the engine's name.
    fileprivate var lack: String {
        switch self {
        case .undo: "cannot record what transactions change, which undo requires"
        case .search: "has no full-text search"
        case .functions: "cannot call functions of the program"
        case .collations: "cannot sort by collations of the program"
        case .rowLog: "cannot report which rows a transaction writes"
        case .tablesRead: "cannot report which tables a statement reads"
        case .explanation: "cannot explain how it finds the rows of a query"
        case .upkeep: "has no file that the library could copy, check or shrink"
        case .rowNumbers: "does not number rows. Name the column of the ids: origin: .existing(id: \"…\")"
        case .anyValues: "has no columns for values of any type. Give the property a type"
        case .history: "keeps no history of rows. Remove keepsHistory"
        case .sealedHistory: "keeps no history of encrypted values. Remove keepsHistory or @Encrypted"
        case .encryption: "cannot encrypt files. Remove encryption, and encrypt the disk of the server"
        case .capture:
            "does not capture changes for sync. It can carry changes between devices, but not be a device. Remove "
                + "isSynced"
        case .schemas: "has no schemas. Use a file for each tenant, or the address of a server"
        case .replicas: "has no replicas. Remove replica from the configuration, or open the address of a server"
        default: "does not support this call"
        }
    }
}

extension Capabilities {
    /// Checks that an engine has a capability.
    ///
    /// - Throws: `StoreError` with the code `unsupported`, which names the engine and the missing capability.
    package func require(
        _ capability: Capabilities, of engine: String, className: String? = nil, property: String? = nil
    ) throws(StoreError) {
        guard !contains(capability) else { return }
        throw StoreError(
            .unsupported, "The engine \(engine) \(capability.lack)", className: className, property: property)
    }
}
