/// The values in an array, one after the other.
struct PlainElements: UnkeyedDecodingContainer {
    private let document: PlainDocument
    private let total: Int
    private var place: Int
    private(set) var currentIndex = 0

    init(_ document: PlainDocument, _ array: Int) {
        self.document = document
        total = Int(document.json.values[array].count)
        place = array + 1
    }

    var codingPath: [any CodingKey] {
        _ = document.refuse()
        return []
    }

    var count: Int? { total }
    var isAtEnd: Bool { currentIndex == total }

    /// Reads a value that exists and is not null, and advances past it.
    private mutating func next<T>(_ read: (PlainDecoder) throws -> T) throws -> T {
        guard !isAtEnd, document.json.values[place].kind != .null else { throw document.refuse() }
        let value = try read(PlainDecoder(document: document, place: place))
        pass()
        return value
    }

    private mutating func pass() {
        place = Int(document.json.values[place].next)
        currentIndex += 1
    }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd else { throw document.refuse() }
        guard document.json.values[place].kind == .null else { return false }
        pass()
        return true
    }

    mutating func decode(_ type: Bool.Type) throws -> Bool { try next { try $0.decode(type) } }
    mutating func decode(_ type: String.Type) throws -> String { try next { try $0.decode(type) } }
    mutating func decode(_ type: Double.Type) throws -> Double { try next { try $0.decode(type) } }
    mutating func decode(_ type: Float.Type) throws -> Float { try next { try $0.decode(type) } }
    mutating func decode(_ type: Int.Type) throws -> Int { try next { try $0.decode(type) } }
    mutating func decode(_ type: Int8.Type) throws -> Int8 { try next { try $0.decode(type) } }
    mutating func decode(_ type: Int16.Type) throws -> Int16 { try next { try $0.decode(type) } }
    mutating func decode(_ type: Int32.Type) throws -> Int32 { try next { try $0.decode(type) } }
    mutating func decode(_ type: Int64.Type) throws -> Int64 { try next { try $0.decode(type) } }
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try next { try $0.decode(type) } }
    mutating func decode(_ type: UInt.Type) throws -> UInt { try next { try $0.decode(type) } }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try next { try $0.decode(type) } }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try next { try $0.decode(type) } }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try next { try $0.decode(type) } }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try next { try $0.decode(type) } }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try next { try $0.decode(type) } }
    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try next { try $0.decode(type) } }

    mutating func nestedContainer<K: CodingKey>(keyedBy type: K.Type) throws -> KeyedDecodingContainer<K> {
        try next { try $0.container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try next { try $0.unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder { throw document.refuse() }
}
