internal import StoreEngine

/// The exact bytes of a collection, used as a baseline if a copy would share the elements with the object.
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
        if codec.style != .array { rows.sort { $0.lexicographicallyPrecedes($1) } }
        return [1] + rows.joined()
    }

    /// Creates the collection in fresh memory; false, without creating it, if the bytes are not an encoding.
    static func make(_ bytes: [UInt8], _ codec: CollectionCodec, at memory: Address) -> Bool {
        let builder = codec.makeBuilder()
        switch bytes.first {
        case 0 where bytes.count == 1 && codec.acceptsNull:
            builder.finish(at: memory)
            codec.setNil(at: memory)
            return true
        case 1: break
        default: return false
        }
        var rest = bytes[1...]
        while !rest.isEmpty {
            var key: DatabaseValue?
            if codec.key != nil {
                key = next(&rest)
                if key == nil { return false }
            }
            guard let value = next(&rest), builder.append(key, value) else { return false }
        }
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
