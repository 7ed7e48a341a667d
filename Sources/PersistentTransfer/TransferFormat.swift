/// The form of a file that objects are exported to.
///
/// ```swift
/// try store.export(Person.self, to: url, as: .csv)
/// ```
public enum TransferFormat: Sendable {
    /// One JSON object a line, the form to keep and to import: a line that is broken harms no other.
    case jsonLines
    /// One JSON list of objects.
    case json
    /// A table for spreadsheets (RFC 4180): a line with the names, then a line for each object of one class. It is
    /// exported only; collections and `Codable` values are JSON in their cells, nil is an empty cell.
    case csv
}

/// What becomes of the ids in a file that is imported.
///
/// ```swift
/// try store.import(Person.self, from: url, ids: .kept)
/// ```
public enum ImportedIDs: Sendable {
    /// Rows keep their ids in a table that never had any; else all move up by the largest that there was. References
    /// follow.
    case fitting
    /// Rows keep their ids; one that is taken is an error.
    case kept
}

/// What is to be done about an object that cannot be imported.
///
/// ```swift
/// try store.import(Person.self, from: url, onError: { $0.property == "age" ? .skip : .stop })
/// ```
public enum ImportDecision: Sendable {
    /// It is left out, and the report has it.
    case skip
    /// Nothing is imported at all: the error is thrown.
    case stop
}

/// What an import has done.
///
/// ```swift
/// let report = try store.importCoreData(from: path, Person.self)
/// print(report.count, "objects;", report.skipped.count, "rows skipped")
/// ```
public struct TransferReport: Sendable {
    /// How many objects were inserted or updated, by class.
    public var converted: [String: Int] = [:]
    /// The rows that were left out, with the reasons: in the order of the file.
    public var skipped: [TransferError] = []
    /// Values that were left out of rows that were converted, with the reasons.
    public var leftOut: [TransferError] = []
    /// Columns and tables of a file of another program that no property takes, as `table.column`.
    public var unusedColumns: [String] = []
    /// Properties that a file of another program has nothing for, as `Class.property`; they have their initial values.
    public var unfilledProperties: [String] = []

    /// How many objects were inserted or updated.
    public var count: Int { converted.values.reduce(0, +) }
}

extension TransferReport: CustomStringConvertible {
    /// What was converted, and a line for everything that was not.
    public var description: String {
        var lines = converted.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        if lines.isEmpty { lines = ["nothing"] }
        var text = ["converted: \(lines.joined(separator: ", "))"]
        text += skipped.map { "skipped: \($0)" }
        text += leftOut.map { "left out: \($0)" }
        text += unusedColumns.map { "no property for \($0)" }
        text += unfilledProperties.map { "no data for \($0)" }
        return text.joined(separator: "\n")
    }
}
