// Conversion: exact conversions of values to another type when a class changes, and of a column's values row by row. It
// knows values, codecs and the column that it writes, and must not know plans.

internal import Foundation
internal import StoreEngine

/// The meaning of a column's values; a REAL, for example, can be a number or a date.
enum ValueMeaning: Hashable, Sendable {
    case integer, real, bool, date, text, decimal, uuid, bytes, json, any
    /// A decimal number, as an integer count of its smallest unit, with this many decimal places.
    case scaled(Int)

    /// The meaning of a property type's values in their column.
    init(_ codec: PropertyCodec) {
        self = codec.isKey && codec.columnType == .blob ? .uuid : ValueMeaning(type: codec.valueType, codec.logicalType)
    }

    private init(type: Any.Type, _ column: LogicalType) {
        if let optional = type as? any OptionalType.Type {
            self.init(type: optional.wrapped, column)
            return
        }
        switch type {
        case is Bool.Type: self = .bool
        case is Date.Type: self = .date
        case is UUID.Type: self = .uuid
        case is Decimal.Type: self = .decimal
        case is any PersistentValue.Type, is any CodedValue.Type: self.init(column: column)
        case is any ColumnScalar.Type: self.init(column: column)
        default:
            if CodecFactory.isStoredAsJSON(type) {
                self = .json
            } else if let raw = (type as? any RawRepresentable.Type)?.rawType {
                self.init(type: raw, column)
            } else {
                self.init(column: column)
            }
        }
    }

    /// The meaning of a column if only its type is known.
    init(column: LogicalType) {
        self =
            switch column {
            case .integer: .integer
            case .real: .real
            case .text: .text
            case .blob: .bytes
            case .uuid: .uuid
            case .decimal: .decimal
            case .any: .any
            }
    }

    /// The meaning of a column that belonged to a property of this type, according to the file's record.
    init(typeName: String, column: LogicalType, isJSON: Bool) {
        // An enumeration is recorded with the type of its raw values.
        let name = typeName.split(separator: ":").last.map { $0.trimmingPrefix { $0 == " " } } ?? ""
        switch name {
        case "Bool": self = .bool
        case "Date": self = .date
        case "UUID": self = .uuid
        case "Decimal", "NSDecimal": self = .decimal
        case _ where name.hasPrefix("Decimal("): self = .scaled(Int(name.dropFirst(8).dropLast()) ?? 0)
        default: if isJSON { self = .json } else { self.init(column: column) }
        }
    }
}

extension RawRepresentable {
    /// The type of its raw values.
    fileprivate static var rawType: Any.Type { RawValue.self }
}
