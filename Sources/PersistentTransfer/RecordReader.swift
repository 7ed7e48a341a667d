internal import Foundation
internal import PersistentObjects

/// Reads the objects of a JSON or JSON Lines file one by one.
///
/// One piece of the file and one object are in memory at a time.
final class RecordReader {
    /// The bytes of an object, and the line in which it begins.
    struct Record {
        let bytes: ArraySlice<UInt8>
        let line: Int
    }

    private let url: URL
    private let handle: FileHandle
    /// The current piece. The bytes from `place` on are not consumed yet.
    private var bytes: [UInt8] = []
    private var place = 0
    private var hasMore = true
    private var line = 1
    /// Whether the file is a JSON array; nil until its first byte is known.
    private var isList: Bool?
    private var isFirst = true
    private var hasEnded = false
    /// The position in the file at which `bytes` begins.
    private(set) var offset: Int64 = 0
    let size: Int64

    private static let pieceSize = 1 << 18

    init(_ url: URL) throws {
        guard url.isFileURL else {
            throw TransferError("An import reads only file URLs. Download other URLs to a file first")
        }
        self.url = url
        do {
            let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
            if attributes[.type] as? FileAttributeType == .typeDirectory {
                throw TransferError("\(url.path) is a folder. Import its files one by one")
            }
            size = (attributes[.size] as? NSNumber)?.int64Value ?? 0
            handle = try FileHandle(forReadingFrom: url)
        } catch let error as TransferError { throw error } catch { throw RecordReader.failure(error, url) }
        try skipByteOrderMark()
    }

    deinit { try? handle.close() }

    private static func failure(_ error: any Error, _ url: URL) -> TransferError {
        TransferError("The file \(url.path) cannot be read: \(error.localizedDescription)")
    }

    private func skipByteOrderMark() throws {
        try fill()
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { place = 3 }
    }

    /// Appends another piece to the bytes that are not consumed yet; false at the end of the file.
    @discardableResult
    private func fill() throws -> Bool {
        guard hasMore else { return false }
        if place > 0 {
            bytes.removeSubrange(..<place)
            offset += Int64(place)
            place = 0
        }
        let piece: Data
        do { piece = try handle.read(upToCount: max(RecordReader.pieceSize, bytes.count)) ?? Data() } catch {
            throw RecordReader.failure(error, url)
        }
        if piece.isEmpty { hasMore = false }
        bytes.append(contentsOf: piece)
        return !piece.isEmpty
    }

    /// The next object; nil at the end.
    func next() throws -> Record? {
        guard !hasEnded else { return nil }
        if isList == nil {
            guard try skipSpace() else {
                hasEnded = true
                return nil
            }
            isList = bytes[place] == UInt8(ascii: "[")
            if isList == true { place += 1 }
        }
        return isList == true ? try nextElement() : try nextLine()
    }

    /// Skips to the next byte that is not whitespace; false at the end of the file.
    private func skipSpace() throws -> Bool {
        while true {
            while place < bytes.count, JSONReader.isSpace(bytes[place]) {
                if bytes[place] == UInt8(ascii: "\n") { line += 1 }
                place += 1
            }
            if place < bytes.count { return true }
            if try !fill() { return false }
        }
    }

    // MARK: Lines

    private func nextLine() throws -> Record? {
        guard try skipSpace() else {
            hasEnded = true
            return nil
        }
        var searched = place
        while true {
            if let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                defer {
                    place = end + 1
                    line += 1
                }
                return Record(bytes: bytes[place..<end], line: line)
            }
            searched = bytes.count - place
            if try !fill() {
                defer { place = bytes.count }
                return Record(bytes: bytes[place...], line: line)
            }
        }
    }

    // MARK: Elements of a list

    private func nextElement() throws -> Record? {
        guard try skipSpace() else { throw TransferError("The list is not terminated", line: line) }
        if bytes[place] == UInt8(ascii: "]") {
            place += 1
            guard try !skipSpace() else { throw TransferError("Unexpected characters after the list", line: line) }
            hasEnded = true
            return nil
        }
        if !isFirst {
            guard bytes[place] == UInt8(ascii: ",") else {
                throw TransferError("Expected a comma or ]", line: line)
            }
            place += 1
            guard try skipSpace() else { throw TransferError("The list is not terminated", line: line) }
        }
        isFirst = false
        return try element()
    }

    /// The bytes up to the comma or bracket after an element. `JSONReader` checks whether they are valid.
    private func element() throws -> Record {
        let first = line
        var scan = place
        var depth = 0
        var isInText = false
        var isEscaped = false
        while true {
            while scan < bytes.count {
                let byte = bytes[scan]
                if isInText {
                    if isEscaped {
                        isEscaped = false
                    } else if byte == UInt8(ascii: "\\") {
                        isEscaped = true
                    } else if byte == UInt8(ascii: "\"") {
                        isInText = false
                    }
                } else if byte == UInt8(ascii: "\"") {
                    isInText = true
                } else if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
                    depth += 1
                } else if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") {
                    if depth == 0 { return record(to: scan, first) }
                    depth -= 1
                } else if byte == UInt8(ascii: ","), depth == 0 {
                    return record(to: scan, first)
                }
                if byte == UInt8(ascii: "\n") { line += 1 }
                scan += 1
            }
            scan -= place
            if try !fill() { throw TransferError("The list is not terminated", line: first) }
        }
    }

    private func record(to end: Int, _ line: Int) -> Record {
        defer { place = end }
        return Record(bytes: bytes[place..<end], line: line)
    }

    /// The number of bytes that were consumed.
    var position: Int64 { offset + Int64(place) }
}
