internal import Foundation
internal import StoreEngine

/// Bytes that Core Data keeps in files beside its own: `.<store>_SUPPORT/_EXTERNAL_DATA/<UUID>`.
///
/// A column with such bytes begins with a 1 where they are in it all the same,
/// and with a 2 and the file's name where they are not. Only the model knows
/// which columns these are; a column whose values all look so is taken for one.
struct ExternalRecords {
    private let folder: URL

    init(_ path: String) {
        let file = URL(filePath: path)
        let name = file.deletingPathExtension().lastPathComponent
        folder = file.deletingLastPathComponent().appending(path: ".\(name)_SUPPORT/_EXTERNAL_DATA")
    }

    private static let inFile: UInt8 = 2

    /// Whether all values of a column are marked so.
    static func has(_ column: String, _ table: String, _ file: ForeignFile) throws -> Bool {
        let value: SQL = "\(name: column)"
        // The name is a UUID of 36 characters, and a NUL behind it.
        let row = try file.rows(
            """
            SELECT count(*), count(CASE WHEN typeof(\(value)) <> 'blob' OR NOT (substr(\(value), 1, 1) = x'01' OR \
            (substr(\(value), 1, 1) = x'02' AND length(\(value)) BETWEEN 37 AND 38)) THEN 1 END) \
            FROM \(name: table) WHERE \(value) IS NOT NULL
            """)[0]
        return row[0] != .integer(0) && row[1] == .integer(0)
    }

    /// The bytes that a column's value stands for.
    func bytes(_ stored: [UInt8]) throws -> [UInt8] {
        // All values of the column are marked with the one or the other.
        guard stored.first == ExternalRecords.inFile else { return Array(stored.dropFirst()) }
        let name = String(decoding: stored.dropFirst().prefix(36), as: UTF8.self)
        guard let uuid = UUID(uuidString: name) else {
            throw TransferError("The name of the file that contains the value is not a UUID")
        }
        // The name as the file has it, which a file system can tell apart from the same in other letters.
        for name in [name, uuid.uuidString, uuid.uuidString.lowercased()] {
            if let data = try? Data(contentsOf: folder.appending(path: name)) { return [UInt8](data) }
        }
        throw TransferError("The file that contains the value does not exist: \(folder.lastPathComponent)/\(name)")
    }
}
