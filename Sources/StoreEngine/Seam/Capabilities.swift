/// What an engine can do that not every engine can.
///
/// Where one is lacking, the call that needs it throws an error that names the
/// engine and what it lacks; see `Connection.require(_:className:property:)`.
package struct Capabilities: OptionSet, Sendable {
    /// One bit for each.
    package let rawValue: UInt16

    /// The set with these bits.
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Records what transactions change, and takes it back.
    package static let undo = Capabilities(rawValue: 1)
    /// Has an index of the words in texts.
    package static let search = Capabilities(rawValue: 2)
    /// Calls Swift functions of the program's from SQL.
    package static let functions = Capabilities(rawValue: 4)
    /// Orders texts by Swift functions of the program's.
    package static let collations = Capabilities(rawValue: 8)
    /// Tells which rows a transaction has written. Without it, each commit is told as one event of the kind `unknown`.
    package static let rowLog = Capabilities(rawValue: 16)
    /// Tells which tables and columns a statement reads. Without it, each commit counts as one that a watched query must look at.
    package static let tablesRead = Capabilities(rawValue: 32)
    /// Explains how it finds the rows of a query.
    package static let explanation = Capabilities(rawValue: 64)
    /// Is a file of its own, which can be copied, checked and made smaller.
    package static let upkeep = Capabilities(rawValue: 128)

    /// Gives each row of a table that others have made a number of its own. Without it, classes over such tables name
    /// the column of their ids.
    package static let rowNumbers = Capabilities(rawValue: 256)

    /// Has columns whose values are of any kind.
    package static let anyValues = Capabilities(rawValue: 512)

    /// Tells the id that it has given to the row inserted last, whatever triggers have inserted since. Without it ids are
    /// reserved before rows go in.
    package static let insertedIDs = Capabilities(rawValue: 1024)

    /// Lets many write at the same time, each as if it were alone; where they cannot, one of them is begun again.
    package static let concurrentWriters = Capabilities(rawValue: 2048)

    /// Has triggers that write the history of rows, with values of any kind.
    package static let history = Capabilities(rawValue: 4096)

    /// All that an engine may lack.
    package static let all: Capabilities = [
        .undo, .search, .functions, .collations, .rowLog, .tablesRead, .explanation, .upkeep, .rowNumbers, .anyValues,
        .insertedIDs, .history,
    ]

    /// What an engine without these cannot do, to be read behind its name.
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
        default: "does not support this call"
        }
    }
}

extension Capabilities {
    /// Sees that an engine has one of them.
    ///
    /// - Throws: `StoreError` with the code `unsupported`, which names the engine and what it lacks.
    package func require(
        _ capability: Capabilities, of engine: String, className: String? = nil, property: String? = nil
    ) throws(StoreError) {
        guard !contains(capability) else { return }
        throw StoreError(
            .unsupported, "The engine \(engine) \(capability.lack)", className: className, property: property)
    }
}
