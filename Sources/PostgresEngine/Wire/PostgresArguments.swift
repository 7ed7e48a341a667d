internal import Foundation
internal import StoreEngine

/// The values of one round of bindings, kept until the server's types are known.
struct PostgresArguments {
    enum Value {
        case null
        case integer(Int64)
        case real(Double)
        /// A range of the arguments' own bytes.
        case text(Range<Int>)
        case blob(Range<Int>)
        case list([DatabaseValue])

        var isList: Bool { if case .list = self { true } else { false } }

        /// The type of a value without a requested type; `list` for an empty list.
        ///
        /// - Parameter isNative: Whether numeric strings are decimal numbers, and 16 bytes a UUID.
        func naturalType(of list: PostgresType, isNative: Bool = false) -> PostgresType {
            if isNative, case .list(let values) = self, values.contains(where: { $0 != .null }) {
                if values.allSatisfy({ PostgresArguments.fits($0, .uuid) }) { return .uuidArray }
                if values.allSatisfy({ PostgresArguments.fits($0, .numeric) }) { return .numericArray }
            }
            switch self {
            case .null, .text: return .text
            case .integer: return .int8
            case .real: return .float8
            case .blob: return .bytea
            case .list(let values):
                return switch values.first(where: { $0 != .null }) {
                case .integer where values.contains { $0.storageClass == .real }: .float8Array
                case .integer: .int8Array
                case .real: .float8Array
                case .blob: .byteaArray
                case .text: .textArray
                case .null, nil: list
                }
            }
        }
    }

    private(set) var values: [Value]
    private(set) var bytes: [UInt8] = []

    /// Whether arrays of strings are values of any type.
    private let hasAnyValues: Bool

    init(count: Int, hasAnyValues: Bool = false) {
        values = Array(repeating: .null, count: count)
        self.hasAnyValues = hasAnyValues
    }

    /// Whether there is an empty list, which does not reveal its kind.
    var hasEmptyList: Bool {
        values.contains { if case .list(let list) = $0 { list.allSatisfy { $0 == .null } } else { false } }
    }

    /// The possible types of the arguments if the server cannot infer them, the likeliest first.
    var guesses: [(Value) -> PostgresType] {
        // An empty list can have any type. In other lists, strings and bytes can be decimal numbers and UUIDs.
        let empty: [PostgresType] = [.textArray, .int8Array, .byteaArray, .float8Array, .uuidArray, .numericArray]
        let lists = (hasEmptyList ? empty : [.textArray]).flatMap { list in
            [false, true].map { isNative in { (value: Value) in value.naturalType(of: list, isNative: isNative) } }
        }
        // If the types of lists are declared, the server may be able to infer the other types.
        return lists.map { type in { $0.isList ? type($0) : .inferred } } + lists
    }

    /// Starts a new round.
    mutating func reset() {
        for place in values.indices { values[place] = .null }
        bytes.removeAll(keepingCapacity: true)
    }

    /// - Parameter isSent: Whether the value is sent, so that a string cannot contain a NUL.
    mutating func bind(_ cell: Cell, at index: Int32, isSent: Bool = true) throws(ValueFault) {
        let place = try place(index)
        switch cell.storageClass {
        case .null: values[place] = .null
        case .integer: values[place] = .integer(cell.integer ?? 0)
        case .real: values[place] = .real(cell.real ?? 0)
        case .text: values[place] = .text(try append(cell, isText: isSent))
        case .blob: values[place] = .blob(try append(cell, isText: false))
        }
    }

    mutating func bind(list: [DatabaseValue], at index: Int32, isSent: Bool = true) throws(ValueFault) {
        for case .text(let text) in list where isSent && text.utf8.contains(0) { throw PostgresArguments.hasNUL }
        values[try place(index)] = .list(list)
    }

    /// The value of an argument; null for a list.
    func value(at place: Int) -> DatabaseValue {
        guard values.indices.contains(place) else { return .null }
        return switch values[place] {
        case .null, .list: .null
        case .integer(let number): .integer(number)
        case .real(let number): .real(number)
        case .text(let range): .text(String(decoding: bytes[range], as: UTF8.self))
        case .blob(let range): .blob(Array(bytes[range]))
        }
    }

    mutating func bind(_ value: DatabaseValue, at place: Int) throws(ValueFault) {
        try value.withCell { (cell) throws(ValueFault) in try bind(cell, at: Int32(place) + 1) }
    }

    private func place(_ index: Int32) throws(ValueFault) -> Int {
        guard values.indices.contains(Int(index) - 1) else {
            throw .notStorable(reason: "the statement has no argument number \(index)")
        }
        return Int(index) - 1
    }

    private mutating func append(_ cell: Cell, isText: Bool) throws(ValueFault) -> Range<Int> {
        let start = bytes.count
        guard cell.byteCount > 0 else { return start..<start }
        let source = UnsafeRawBufferPointer(start: cell.start, count: cell.byteCount)
        if isText, source.contains(0) { throw PostgresArguments.hasNUL }
        bytes.append(contentsOf: source)
        return start..<bytes.count
    }

    /// Rejects values with a NUL before they are sent, because the server's error would not identify the value.
    static let hasNUL = ValueFault.notStorable(
        reason: "PostgreSQL strings cannot contain a NUL. Store the bytes as [UInt8] or Data")

    // MARK: The server's form

    /// The values encoded for arguments of some types, or the position of the first value that does not fit.
    ///
    /// - Parameter isReading: Whether nothing is stored, so that compared values may have another type.
    func encoded(_ types: [PostgresType], isReading: Bool) -> Result<PostgresMessage, TypeMismatch> {
        var message = PostgresMessage(count: types.count, capacity: bytes.count + types.count * 8)
        for (place, type) in types.enumerated() {
            guard append(values[place], as: type, isReading, to: &message) else {
                return .failure(TypeMismatch(place: place))
            }
        }
        return .success(message)
    }

    struct TypeMismatch: Error { let place: Int }

    private func append(
        _ value: Value, as type: PostgresType, _ isReading: Bool, to message: inout PostgresMessage
    ) -> Bool {
        switch (value, type) {
        case (.null, _): message.appendNull()
        case (_, .textArray) where hasAnyValues && !value.isList:
            return append(PostgresAnyValue.parts(of: value, bytes).map { .text($0) }, as: .textArray, to: &message)
        case (.integer(let number), .int8): message.append(number)
        case (.integer(let number), .int4): return message.append(Int32(exactly: number))
        case (.integer(let number), .int2): return message.append(Int16(exactly: number))
        case (.integer(let number), .float8):
            guard let exact = Double(exactly: number) else { return false }
            message.append(exact.bitPattern)
        case (.integer(let number), .bool):
            guard number == 0 || number == 1 else { return false }
            message.append(UInt8(number))
        case (.integer(let number), .numeric): message.append(text: String(number))
        case (.real(let number), .float8): message.append(number.bitPattern)
        case (.real(let number), .float4): message.append(Float(number).bitPattern)
        case (.real(let number), .numeric) where number.isFinite: message.append(text: number.description)
        case (.text(let range), _) where type.isText || type == .inferred:
            bytes.withUnsafeBytes { message.append(bytes: UnsafeRawBufferPointer(rebasing: $0[range]), isText: false) }
        case (.text(let range), .uuid):
            // A string that is not a UUID must not equal any stored UUID, so a new UUID is compared.
            let uuid = UUID(uuidString: String(decoding: bytes[range], as: UTF8.self)) ?? (isReading ? UUID() : nil)
            guard let uuid else { return false }
            message.append(bytes: PostgresArguments.bytes(of: uuid))
        case (.text(let range), .bytea) where isReading:
            // A string must not equal any stored bytes, so a value longer than any key is compared.
            message.append(bytes: Array(repeating: 0xFF, count: 17) + bytes[range])
        case (.text(let range), .timestamptz):
            message.append(
                text: String(decoding: bytes[range], as: UTF8.self) + PostgresTimestamp.missingOffset(bytes[range]))
        case (.text(let range), .date) where !isReading && PostgresTimestamp.hasTime(bytes[range]): return false
        case (.text(let range), _) where type != .bytea:
            // The server parses the string, for example as a number, an array or an enumeration value.
            bytes.withUnsafeBytes { message.append(bytes: UnsafeRawBufferPointer(rebasing: $0[range]), isText: true) }
        case (.blob(let range), .bytea):
            bytes.withUnsafeBytes { message.append(bytes: UnsafeRawBufferPointer(rebasing: $0[range]), isText: false) }
        case (.blob(let range), .uuid) where range.count == 16:
            bytes.withUnsafeBytes { message.append(bytes: UnsafeRawBufferPointer(rebasing: $0[range]), isText: false) }
        case (.list(let list), _) where type.isParsedArray:
            message.append(text: PostgresTimestamp.array(list, addsOffsets: type == .timestamptzArray))
        case (.list(let list), _): return append(list, as: type, to: &message)
        default: return false
        }
        return true
    }

    private static func fits(_ value: DatabaseValue, _ element: PostgresType) -> Bool {
        switch (value, element) {
        case (.null, _), (.integer, .int8), (.real, .float8), (.real, .float4), (.blob, .bytea): true
        case (.integer(let number), .int4): Int32(exactly: number) != nil
        case (.integer(let number), .int2): Int16(exactly: number) != nil
        case (.integer(let number), .bool): number == 0 || number == 1
        case (.integer(let number), .float8): Double(exactly: number) != nil
        case (.integer, .numeric): true
        case (.real(let number), .numeric): number.isFinite
        case (.text(let text), .numeric): PostgresNumeric.encoded(text) != nil
        case (.text(let text), .uuid): UUID(uuidString: text) != nil
        case (.text, _): element.isText
        case (.blob(let bytes), .uuid): bytes.count == 16
        default: false
        }
    }

    private static func bytes(of uuid: UUID) -> [UInt8] { withUnsafeBytes(of: uuid.uuid) { Array($0) } }

    /// The binary form of a number in an array.
    private static func numeric(_ value: DatabaseValue) -> [UInt8]? {
        switch value {
        case .integer(let number): PostgresNumeric.encoded(String(number))
        case .real(let number): PostgresNumeric.encoded(number.description)
        case .text(let text): PostgresNumeric.encoded(text)
        case .null, .blob: nil
        }
    }

    /// Appends an array in the server's binary form: its dimensions, its element type, and each value after its length.
    private func append(_ list: [DatabaseValue], as type: PostgresType, to message: inout PostgresMessage) -> Bool {
        guard let element = type.element else { return false }
        // Values that the column cannot contain are left out, because no row has them.
        let fitting = list.filter { PostgresArguments.fits($0, element) }
        message.beginValue()
        message.appendPart(Int32(fitting.isEmpty ? 0 : 1))
        message.appendPart(Int32(fitting.contains(.null) ? 1 : 0))
        message.appendPart(element.number)
        if !fitting.isEmpty {
            guard let count = Int32(exactly: fitting.count) else { return false }
            message.appendPart(count)
            message.appendPart(Int32(1))
        }
        for value in fitting {
            switch (value, element) {
            case (.null, _): message.appendPart(Int32(-1))
            case (.integer(let number), .int8): message.appendElement(number)
            case (.integer(let number), .int4): message.appendElement(Int32(truncatingIfNeeded: number))
            case (.integer(let number), .int2): message.appendElement(Int16(truncatingIfNeeded: number))
            case (.integer(let number), .bool): message.appendElement(UInt8(truncatingIfNeeded: number))
            case (.integer(let number), .float8):
                guard let exact = Double(exactly: number) else { return false }
                message.appendElement(exact.bitPattern)
            case (.real(let number), .float8): message.appendElement(number.bitPattern)
            case (.real(let number), .float4): message.appendElement(Float(number).bitPattern)
            case (_, .numeric):
                guard let number = PostgresArguments.numeric(value) else { return false }
                message.appendElement(number)
            case (.text(let text), .uuid):
                guard let uuid = UUID(uuidString: text) else { return false }
                message.appendElement(PostgresArguments.bytes(of: uuid))
            case (.text(let text), _) where element.isText: message.appendElement(Array(text.utf8))
            case (.blob(let bytes), .bytea): message.appendElement(bytes)
            case (.blob(let bytes), .uuid) where bytes.count == 16: message.appendElement(bytes)
            default: return false
            }
        }
        message.endValue()
        return true
    }
}
