/// The values in an object, by name.
struct PlainMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let document: PlainDocument
    let place: Int

    var codingPath: [any CodingKey] {
        _ = document.refuse()
        return []
    }

    /// Refused for several keys, because the order in which `JSONDecoder` returns them is unspecified.
    var allKeys: [Key] {
        let count = document.json.values[place].count
        guard count < 2 else {
            _ = document.refuse()
            return []
        }
        return count == 0 ? [] : document.json.text(place + 1).flatMap { Key(stringValue: $0) }.map { [$0] } ?? []
    }

    private func place(of key: Key) throws -> Int? {
        let name = key.stringValue
        // Two strings that are not ASCII may be equal although their bytes differ.
        guard name.utf8.allSatisfy({ $0 < 0x80 }) else { throw document.refuse() }
        return document.json.member(name, of: place)
    }

    /// The decoder of a value that exists and is not null.
    private func value(_ key: Key) throws -> PlainDecoder {
        guard let found = try place(of: key), document.json.values[found].kind != .null else { throw document.refuse() }
        return PlainDecoder(document: document, place: found)
    }

    func contains(_ key: Key) -> Bool { (try? place(of: key)) != nil }

    func decodeNil(forKey key: Key) throws -> Bool {
        guard let found = try place(of: key) else { throw document.refuse() }
        return document.json.values[found].kind == .null
    }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try value(key).decode(type) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try value(key).decode(type) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try value(key).decode(type) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try value(key).decode(type) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try value(key).decode(type) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try value(key).decode(type) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try value(key).decode(type) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try value(key).decode(type) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try value(key).decode(type) }
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try value(key).decode(type) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try value(key).decode(type) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try value(key).decode(type) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try value(key).decode(type) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try value(key).decode(type) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try value(key).decode(type) }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try value(key).decode(type) }
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try value(key).decode(type) }

    func nestedContainer<K: CodingKey>(keyedBy type: K.Type, forKey key: Key) throws -> KeyedDecodingContainer<K> {
        try value(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try value(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { throw document.refuse() }

    func superDecoder(forKey key: Key) throws -> any Decoder { throw document.refuse() }
}
