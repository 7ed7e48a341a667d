internal import Foundation
internal import StoreEngine

/// Bytes that Core Data stores in files next to its own: `.<store>_SUPPORT/_EXTERNAL_DATA/<UUID>`.
///
/// A value of such a column begins with a 1 if the bytes follow in the column, and with a 2 if the name of an external
/// file follows. Only the model lists these columns, so a column is treated as one of them if all its values look
/// like this.
struct ExternalRecords {
    private let folder: URL

    init(_ path: String) {
        let file = URL(filePath: path)
        let name = file.deletingPathExtension().lastPathComponent
        folder = file.deletingLastPathComponent().appending(path: ".\(name)_SUPPORT/_EXTERNAL_DATA")
    }

    private static let inFile: UInt8 = 2

    /// Whether all values of a column have such a mark.
    static func has(_ column: String, _ table: String, _ file: ForeignFile) throws -> Bool {
        let value: SQL = "\(name: column)"
        // The name is a UUID of 36 characters, usually with a NUL after it.
        let row = try file.rows(
            """
            SELECT count(*), count(CASE WHEN typeof(\(value)) <> 'blob' OR NOT (substr(\(value), 1, 1) = x'01' OR \
            (substr(\(value), 1, 1) = x'02' AND length(\(value)) BETWEEN 37 AND 38)) THEN 1 END) \
            FROM \(name: table) WHERE \(value) IS NOT NULL
            """)[0]
        return row[0] != .integer(0) && row[1] == .integer(0)
    }

    /// The bytes that a column's value contains or refers to.
    func bytes(_ stored: [UInt8]) throws -> [UInt8] {
        // All values of the column have one of the two marks.
        guard stored.first == ExternalRecords.inFile else { return Array(stored.dropFirst()) }
        let name = String(decoding: stored.dropFirst().prefix(36), as: UTF8.self)
        guard let uuid = UUID(uuidString: name) else {
            throw TransferError("The name of the file that contains the value is not a UUID")
        }
        // The name is tried as stored first, because a file system can be case-sensitive.
        for name in [name, uuid.uuidString, uuid.uuidString.lowercased()] {
            if let data = try? Data(contentsOf: folder.appending(path: name)) { return [UInt8](data) }
        }
        throw TransferError("The file that contains the value does not exist: \(folder.lastPathComponent)/\(name)")
    }
}
