/// The format of a file that objects are exported to.
///
/// ```swift
/// try store.export(Person.self, to: url, as: .csv)
/// ```
public enum TransferFormat: Sendable {
    /// One JSON object per line.
    ///
    /// This is the format to keep and to import, because a damaged line affects no other line.
    case jsonLines
    /// One JSON array of objects.
    case json
    /// A table for spreadsheets (RFC 4180).
    ///
    /// It has a line with the names, then a line for each object of one class. It can only be exported. Collections and
    /// `Codable` values are JSON in their cells, and nil is an empty cell.
    case csv
}

/// The form of encrypted properties in an export.
///
/// ```swift
/// try store.export(Patient.self, to: url, values: .plain)
/// ```
///
/// If a class has encrypted properties, the first line of the file specifies the form: `{"$values":"sealed"}` or
/// `{"$values":"plain"}`. In CSV, the names of columns with encrypted values end with ` ($sealed)`.
public enum ExportedValues: String, Sendable {
    /// The encrypted bytes as Base64. An import needs the keys with which they are encrypted.
    case sealed
    /// The decrypted values.
    case plain
}

/// The treatment of the ids in an imported file.
///
/// ```swift
/// try store.import(Person.self, from: url, ids: .kept)
/// ```
public enum ImportedIDs: Sendable {
    /// Rows keep their ids in a table that never had rows.
    ///
    /// Otherwise all ids are offset by the largest id ever used, and references with them.
    case fitting
    /// Rows keep their ids; an id that is already used is an error.
    case kept
}

/// The decision about an object that cannot be imported.
///
/// ```swift
/// try store.import(Person.self, from: url, onError: { $0.property == "age" ? .skip : .stop })
/// ```
public enum ImportDecision: Sendable {
    /// The object is skipped, and the report lists it.
    case skip
    /// Nothing is imported, and the error is thrown.
    case stop
}

/// The result of an import.
///
/// ```swift
/// let report = try store.importCoreData(from: path, Person.self)
/// print(report.count, "objects;", report.skipped.count, "rows skipped")
/// ```
public struct TransferReport: Sendable {
    /// The number of inserted or updated objects, by class.
    public var converted: [String: Int] = [:]
    /// The skipped rows with the reasons, in the order of the file.
    public var skipped: [TransferError] = []
    /// Values that were omitted from converted rows, with the reasons.
    public var leftOut: [TransferError] = []
    /// Columns and tables of another program's file that no property uses, as `table.column`.
    public var unusedColumns: [String] = []
    /// Properties without data in another program's file, as `Class.property`.
    ///
    /// They have their initial values.
    public var unfilledProperties: [String] = []

    /// The number of inserted or updated objects.
    public var count: Int { converted.values.reduce(0, +) }
}

extension TransferReport: CustomStringConvertible {
    /// The number of converted objects, and a line for each problem.
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
