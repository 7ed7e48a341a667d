internal import Foundation
internal import StoreEngine

extension String: ColumnScalar {
    static var columnType: ColumnType { .text }

    @inline(__always)
    static func read(_ column: some FieldColumn) throws(ValueFault) -> String { try column.text() }

    @inline(__always)
    func bind(to statement: Statement, at index: Int32) throws(ValueFault) { try statement.bind(self, at: index) }

    func encoded() throws(ValueFault) -> DatabaseValue { .text(self) }

    @inline(__always)
    static func isSame(_ a: String, _ b: String) -> Bool { a.hasSameUTF8(as: b) }

    static func converted(_ value: Any) -> String? {
        switch value {
        case let value as String: value
        case let value as Substring: String(value)
        case let value as Character: String(value)
        default: nil
        }
    }

    static var samples: [String] { [" aZé ", " Öb Y ", ""] }
}

extension Substring: ColumnScalar {
    static var columnType: ColumnType { .text }
    static func read(_ column: Cell) throws(ValueFault) -> Substring { Substring(try column.text()) }

    func bind(to statement: Statement, at index: Int32) throws(ValueFault) {
        try statement.bind(String(self), at: index)
    }

    func encoded() throws(ValueFault) -> DatabaseValue { .text(String(self)) }
    static func isSame(_ a: Substring, _ b: Substring) -> Bool { a.utf8.elementsEqual(b.utf8) }
    static func converted(_ value: Any) -> Substring? { String.converted(value).map { Substring($0) } }
    static var samples: [Substring] { String.samples.map { Substring($0) } }
}

extension Character: ColumnScalar {
    static var columnType: ColumnType { .text }

    static func read(_ column: Cell) throws(ValueFault) -> Character {
        let text = try column.text()
        guard let first = text.first, text.count == 1 else {
            throw .rejected(type: "Character", reason: "the string does not have exactly one character")
        }
        return first
    }

    func bind(to statement: Statement, at index: Int32) throws(ValueFault) {
        try statement.bind(String(self), at: index)
    }

    func encoded() throws(ValueFault) -> DatabaseValue { .text(String(self)) }
    static func isSame(_ a: Character, _ b: Character) -> Bool { a.utf8.elementsEqual(b.utf8) }

    static func converted(_ value: Any) -> Character? {
        if let value = value as? Character { return value }
        guard let text = String.converted(value), text.count == 1 else { return nil }
        return text.first
    }

    static var samples: [Character] { ["ß", "q", "Z"] }
}

extension URL: ColumnScalar {
    static var columnType: ColumnType { .text }

    static func read(_ column: Cell) throws(ValueFault) -> URL {
        guard let url = URL(string: try column.text()) else {
            throw .rejected(type: "URL", reason: "the string is not a URL")
        }
        return url
    }

    func bind(to statement: Statement, at index: Int32) throws(ValueFault) {
        try statement.bind(absoluteString, at: index)
    }

    func encoded() throws(ValueFault) -> DatabaseValue { .text(absoluteString) }
    static func isSame(_ a: URL, _ b: URL) -> Bool { a.absoluteString.hasSameUTF8(as: b.absoluteString) }
    static func decoded(_ value: DatabaseValue) -> URL? { String.decoded(value).flatMap { URL(string: $0) } }
    static var samples: [URL] { ["po:A%20z", "po:b"].compactMap { URL(string: $0) } }
}

extension UUID: ColumnScalar {
    static var columnType: ColumnType { .blob }
    static var logicalType: LogicalType { .uuid }

    static func read(_ column: Cell) throws(ValueFault) -> UUID {
        let value = try column.withBlob { UUID($0) }
        guard let value else { throw .rejected(type: "UUID", reason: "the blob does not have 16 bytes") }
        return value
    }

    func bind(to statement: Statement, at index: Int32) throws(ValueFault) {
        try bindBytes(to: statement, at: index)
    }

    func encoded() throws(ValueFault) -> DatabaseValue { .blob(bytes) }
    static func isSame(_ a: UUID, _ b: UUID) -> Bool { a == b }

    static func decoded(_ value: DatabaseValue) -> UUID? {
        guard case .blob(let bytes) = value else { return nil }
        return UUID(bytes: bytes)
    }

    static var samples: [UUID] {
        ["2B1E6E1C-94E4-4E1C-9C1A-5D0D0B8E7A11", "7F0C2A55-6F5E-4A43-8B6B-0A5F3C1D9E22"].compactMap {
            UUID(uuidString: $0)
        }
    }
}

extension Data: ColumnScalar {
    static var columnType: ColumnType { .blob }

    static func read(_ column: Cell) throws(ValueFault) -> Data { try column.withBlob { Data($0) } }

    func bind(to statement: Statement, at index: Int32) throws(ValueFault) {
        try statement.bind(bytes: self, at: index)
    }

    func encoded() throws(ValueFault) -> DatabaseValue { .blob([UInt8](self)) }
    static func isSame(_ a: Data, _ b: Data) -> Bool { a == b }

    static func converted(_ value: Any) -> Data? {
        if let bytes = value as? [UInt8] { return Data(bytes) }
        return value as? Data
    }

    static var samples: [Data] { [Data([1, 255]), Data([7]), Data()] }
}

extension [UInt8]: ColumnScalar {
    static var columnType: ColumnType { .blob }

    static func read(_ column: Cell) throws(ValueFault) -> [UInt8] { try column.withBlob { [UInt8]($0) } }

    func bind(to statement: Statement, at index: Int32) throws(ValueFault) {
        try statement.bind(bytes: self, at: index)
    }

    func encoded() throws(ValueFault) -> DatabaseValue { .blob(self) }
    static func isSame(_ a: [UInt8], _ b: [UInt8]) -> Bool { a == b }

    static func converted(_ value: Any) -> [UInt8]? {
        if let data = value as? Data { return [UInt8](data) }
        return value as? [UInt8]
    }

    static var samples: [[UInt8]] { [[1, 255], [7], []] }
}
