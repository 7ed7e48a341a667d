internal import StoreEngine

/// The exact bytes of a collection: the stored form of encrypted collections, and the baseline if a copy would share the
/// elements with the object.
///
/// The first byte states whether the collection is nil. The key and the element of each row follow: the storage class
/// and eight bytes, or a length of eight bytes and that many bytes. The rows of sets and dictionaries are sorted by
/// their bytes, so that equal collections have equal bytes.
enum CollectionEncoding {
    static func bytes(
        of field: Address, _ codec: CollectionCodec
    ) throws(ValueFault) -> [UInt8] {
        guard !codec.isNil(field) else { return [0] }
        var rows: [[UInt8]] = []
        rows.reserveCapacity(codec.count(field))
        do {
            try codec.forEachRow(field) { key, element in
                var row: [UInt8] = []
                if let key, let keyCodec = codec.key { append(try keyCodec.encode(key), to: &row) }
                append(try codec.element.encode(element), to: &row)
                rows.append(row)
            }
        } catch let fault as ValueFault { throw fault } catch {
            throw .notStorable(reason: "\(TypeSpelling.of(codec.valueType)) cannot be encoded")
        }
        return bytes(rows, codec.style)
    }

    private static func bytes(_ rows: [[UInt8]], _ style: CollectionCodec.Style) -> [UInt8] {
        let sorted = style == .array ? rows : rows.sorted { $0.lexicographicallyPrecedes($1) }
        return [1] + sorted.joined()
    }

    /// A row in the form of its columns. The key is nil except in dictionaries.
    struct Row {
        let key: DatabaseValue?
        let value: DatabaseValue
    }

    /// The bytes of a collection that is not nil.
    static func bytes(of rows: [Row], _ style: CollectionCodec.Style) -> [UInt8] {
        let rows = rows.map { row in
            var bytes: [UInt8] = []
            if let key = row.key { append(key, to: &bytes) }
            append(row.value, to: &bytes)
            return bytes
        }
        return bytes(rows, style)
    }

    /// The rows of a collection that is not nil; nil if the bytes are not an encoding.
    static func rows(in bytes: [UInt8], hasKeys: Bool) -> [Row]? {
        guard bytes.first == 1 else { return nil }
        var rows: [Row] = []
        var rest = bytes[1...]
        while !rest.isEmpty {
            var key: DatabaseValue?
            if hasKeys {
                key = next(&rest)
                if key == nil { return nil }
            }
            guard let value = next(&rest) else { return nil }
            rows.append(Row(key: key, value: value))
        }
        return rows
    }

    /// Creates the collection in fresh memory; false, without creating it, if the bytes are not an encoding.
    static func make(_ bytes: [UInt8], _ codec: CollectionCodec, at memory: Address) -> Bool {
        let builder = codec.makeBuilder()
        switch bytes.first {
        case 0 where bytes.count == 1 && codec.acceptsNull:
            builder.finish(at: memory)
            codec.setNil(at: memory)
            return true
        default: break
        }
        guard let rows = rows(in: bytes, hasKeys: codec.key != nil),
            rows.allSatisfy({ builder.append($0.key, $0.value) })
        else { return false }
        builder.finish(at: memory)
        return true
    }

    private static func append(_ value: DatabaseValue, to bytes: inout [UInt8]) {
        func append(_ number: UInt64) { bytes += number.littleEndianBytes }
        bytes.append(value.storageClass.rawValue)
        switch value {
        case .null: break
        case .integer(let number): append(UInt64(bitPattern: number))
        case .real(let number): append(number.bitPattern)
        case .text(let text):
            append(UInt64(text.utf8.count))
            bytes.append(contentsOf: text.utf8)
        case .blob(let blob):
            append(UInt64(blob.count))
            bytes.append(contentsOf: blob)
        }
    }

    private static func next(_ bytes: inout ArraySlice<UInt8>) -> DatabaseValue? {
        guard let storageClass = bytes.popFirst().flatMap({ StorageClass(rawValue: $0) }) else { return nil }
        if storageClass == .null { return .null }
        guard bytes.count >= 8 else { return nil }
        let number = bytes.prefix(8).reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        bytes = bytes.dropFirst(8)
        switch storageClass {
        case .null: return .null
        case .integer: return .integer(Int64(bitPattern: number))
        case .real: return .real(Double(bitPattern: number))
        case .text, .blob:
            guard let count = Int(exactly: number), count <= bytes.count else { return nil }
            defer { bytes = bytes.dropFirst(count) }
            if storageClass == .blob { return .blob(Array(bytes.prefix(count))) }
            return String(validating: bytes.prefix(count), as: UTF8.self).map { .text($0) }
        }
    }
}
