internal import Foundation
internal import PersistentObjects
internal import StoreEngine

/// Converts values of other programs to JSON for a property.
///
/// The property's type decides about the conversion, because the columns of such files can contain any type.
struct ForeignValue {
    /// The epoch of dates that are stored as numbers, in seconds since 2001-01-01.
    let dateOrigin: Double
    /// The time zone of dates that are stored as strings without one.
    let timeZone: TimeZone?

    func json(_ stored: DatabaseValue, _ form: JSONShape) throws(ValueFault) -> JSONValue {
        switch form {
        case .collection: try archived(stored)
        case .key: try text(stored)
        case .link: try number(stored)
        case .value(let shape): try json(stored, shape)
        }
    }

    private func json(_ stored: DatabaseValue, _ shape: ValueShape) throws(ValueFault) -> JSONValue {
        switch shape {
        case .bool: try bool(stored)
        case .integer, .real, .float: try number(stored)
        case .date: try date(stored)
        case .decimal: try decimal(stored)
        case .text: try text(stored)
        case .uuid: try uuid(stored)
        case .bytes: try bytes(stored)
        case .json: try codable(stored)
        case .any: try ValueShape.any.json(stored)
        }
    }

    private func mismatch(_ wanted: String, _ stored: DatabaseValue) -> ValueFault {
        .notStorable(reason: "expected \(wanted), but the column holds \(stored.storageClass)")
    }

    private func bool(_ stored: DatabaseValue) throws(ValueFault) -> JSONValue {
        switch stored {
        case .integer(let number) where number == 0 || number == 1: return .bool(number == 1)
        case .real(let number) where number == 0 || number == 1: return .bool(number == 1)
        case .text(let text):
            switch text.lowercased() {
            case "1", "yes", "true", "y": return .bool(true)
            case "0", "no", "false", "n", "": return .bool(false)
            default: break
            }
        default: break
        }
        throw mismatch("a Boolean", stored)
    }

    private func number(_ stored: DatabaseValue) throws(ValueFault) -> JSONValue {
        switch stored {
        case .integer(let number): return .number(String(number))
        case .real(let number): return .number("\(number)")
        case .text(let text):
            let trimmed = text.trimmingCharacters(in: .whitespaces)
            if Int64(trimmed) != nil { return .number(trimmed) }
            if let number = Double(trimmed), number.isFinite { return .number("\(number)") }
        case .blob: return try archived(stored)
        case .null: return .null
        }
        throw mismatch("a number", stored)
    }

    private func date(_ stored: DatabaseValue) throws(ValueFault) -> JSONValue {
        switch stored {
        case .integer(let number): return seconds(Double(number))
        case .real(let number): return seconds(number)
        case .text(let text):
            // A space may separate the time from its offset.
            let trimmed = text.trimmingCharacters(in: .whitespaces)
            if let value = ISODate.seconds(trimmed, in: timeZone) {
                return ISODate.json(Date(timeIntervalSinceReferenceDate: value))
            }
            if let number = Double(trimmed), number.isFinite { return seconds(number) }
        case .blob: return try archived(stored)
        case .null: return .null
        }
        throw mismatch("a date", stored)
    }

    private func seconds(_ number: Double) -> JSONValue {
        ISODate.json(Date(timeIntervalSinceReferenceDate: number + dateOrigin))
    }

    private func decimal(_ stored: DatabaseValue) throws(ValueFault) -> JSONValue {
        switch stored {
        case .text(let text): .text(text.trimmingCharacters(in: .whitespaces))
        default: try number(stored)
        }
    }

    private func text(_ stored: DatabaseValue) throws(ValueFault) -> JSONValue {
        switch stored {
        case .text(let text): .text(text)
        case .integer(let number): .text(String(number))
        case .real(let number): .text("\(number)")
        case .blob: try archived(stored)
        case .null: .null
        }
    }

    private func uuid(_ stored: DatabaseValue) throws(ValueFault) -> JSONValue {
        if case .blob(let bytes) = stored, bytes.count != 16 { return try archived(stored) }
        if case .text(let text) = stored { return .text(text) }
        return try ValueShape.uuid.json(stored)
    }

    private func bytes(_ stored: DatabaseValue) throws(ValueFault) -> JSONValue {
        if case .text(let text) = stored { return try ValueShape.bytes.json(.blob(Array(text.utf8))) }
        return try ValueShape.bytes.json(stored)
    }

    private func codable(_ stored: DatabaseValue) throws(ValueFault) -> JSONValue {
        switch stored {
        case .blob(let bytes) where !BinaryPropertyList.isOne(bytes): return try ValueShape.json.json(stored)
        case .blob: return try archived(stored)
        case .text(let text):
            guard let json = try? JSONReader.value(of: Array(text.utf8)[...]) else { return .text(text) }
            return json
        default: return try number(stored)
        }
    }

    /// The content of an archive by `NSKeyedArchiver`, or of JSON.
    private func archived(_ stored: DatabaseValue) throws(ValueFault) -> JSONValue {
        switch stored {
        case .blob(let bytes) where BinaryPropertyList.isOne(bytes): return try KeyedArchive.json(bytes)
        case .blob(let bytes):
            if let json = try? JSONReader.value(of: bytes[...]) { return json }
        case .text(let text):
            if let json = try? JSONReader.value(of: Array(text.utf8)[...]) { return json }
        default: break
        }
        throw mismatch("an archive", stored)
    }
}
