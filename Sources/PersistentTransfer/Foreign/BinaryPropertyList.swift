/// A binary property list, read object by object. Objects refer to each other by number.
///
/// Foundation's reader trusts an archive, and a single wrong byte in it ends the program. This reader checks each
/// offset and length against the bytes.
struct BinaryPropertyList {
    enum Item {
        case null
        case bool(Bool)
        case integer(Int64)
        case real(Double)
        /// Seconds since 2001.
        case date(Double)
        case data([UInt8])
        case text(String)
        /// The number of an object in an archive.
        case uid(Int)
        /// Numbers of objects of this list.
        case list([Int])
        case dictionary(keys: [Int], values: [Int])
    }

    struct Fault: Error {}

    private let bytes: [UInt8]
    private let offsetTable: Int
    private let offsetSize: Int
    private let referenceSize: Int
    private let count: Int
    /// The number of the outermost object.
    let top: Int

    private static let header = Array("bplist00".utf8)
    private static let trailerSize = 32

    static func isOne(_ bytes: [UInt8]) -> Bool { bytes.starts(with: header) }

    init(_ bytes: [UInt8]) throws(Fault) {
        guard BinaryPropertyList.isOne(bytes),
            bytes.count >= BinaryPropertyList.header.count + BinaryPropertyList.trailerSize
        else { throw Fault() }
        self.bytes = bytes
        let trailer = bytes.count - BinaryPropertyList.trailerSize
        offsetSize = Int(bytes[trailer + 6])
        referenceSize = Int(bytes[trailer + 7])
        count = try BinaryPropertyList.number(bytes, trailer + 8, 8)
        top = try BinaryPropertyList.number(bytes, trailer + 16, 8)
        offsetTable = try BinaryPropertyList.number(bytes, trailer + 24, 8)
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize), count <= bytes.count,
            offsetTable <= trailer, count <= (trailer - offsetTable) / offsetSize, top < count
        else { throw Fault() }
    }

    /// A big-endian number of `size` bytes.
    private static func number(_ bytes: [UInt8], _ place: Int, _ size: Int) throws(Fault) -> Int {
        guard place >= 0, size > 0, place <= bytes.count - size else { throw Fault() }
        let value = bytes[place..<place + size].reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        guard let number = Int(exactly: value) else { throw Fault() }
        return number
    }

    /// The object with a number.
    func item(_ index: Int) throws(Fault) -> Item {
        guard index >= 0, index < count else { throw Fault() }
        var place = try BinaryPropertyList.number(bytes, offsetTable + index * offsetSize, offsetSize)
        guard place >= BinaryPropertyList.header.count, place < offsetTable else { throw Fault() }
        let (kind, low) = (bytes[place] >> 4, Int(bytes[place] & 0x0F))
        place += 1
        switch kind {
        case 0x0: return try simple(low)
        case 0x1:
            guard low <= 3 else { throw Fault() }
            return .integer(try integer(place, 1 << low))
        case 0x2: return .real(try real(place, 1 << low))
        case 0x3: return .date(try real(place, 1 << low))
        case 0x4: return .data(Array(try slice(&place, low, 1)))
        case 0x5: return .text(String(decoding: try slice(&place, low, 1), as: UTF8.self))
        case 0x6:
            let units = Array(try slice(&place, low, 2))
            let pairs = stride(from: 0, to: units.count, by: 2).map { UInt16(units[$0]) << 8 | UInt16(units[$0 + 1]) }
            return .text(String(decoding: pairs, as: UTF16.self))
        case 0x8:
            guard low < 8 else { throw Fault() }
            return .uid(try BinaryPropertyList.number(bytes, place, low + 1))
        case 0xA, 0xC: return .list(try references(&place, low))
        case 0xD:
            var length = low
            if low == 0x0F { length = try self.length(&place) }
            return .dictionary(
                keys: try references(place, length), values: try references(place + length * referenceSize, length))
        default: throw Fault()
        }
    }

    private func simple(_ low: Int) throws(Fault) -> Item {
        switch low {
        case 0x0: .null
        case 0x8: .bool(false)
        case 0x9: .bool(true)
        default: throw Fault()
        }
    }

    private func integer(_ place: Int, _ size: Int) throws(Fault) -> Int64 {
        guard size == 8 else { return Int64(try BinaryPropertyList.number(bytes, place, size)) }
        guard place <= bytes.count - 8 else { throw Fault() }
        return Int64(bitPattern: bytes[place..<place + 8].reduce(0 as UInt64) { $0 << 8 | UInt64($1) })
    }

    private func real(_ place: Int, _ size: Int) throws(Fault) -> Double {
        switch size {
        case 4: return Double(Float(bitPattern: UInt32(try BinaryPropertyList.number(bytes, place, 4))))
        case 8: return Double(bitPattern: UInt64(bitPattern: try integer(place, 8)))
        default: throw Fault()
        }
    }

    /// A length that is a separate integer after the object's marker.
    private func length(_ place: inout Int) throws(Fault) -> Int {
        guard place < bytes.count, bytes[place] >> 4 == 0x1, bytes[place] & 0x0F <= 3 else { throw Fault() }
        let size = 1 << Int(bytes[place] & 0x0F)
        let length = try BinaryPropertyList.number(bytes, place + 1, size)
        guard length <= bytes.count else { throw Fault() }
        place += 1 + size
        return length
    }

    private func slice(_ place: inout Int, _ low: Int, _ size: Int) throws(Fault) -> ArraySlice<UInt8> {
        let length = low == 0x0F ? try self.length(&place) : low
        guard length * size <= offsetTable - place else { throw Fault() }
        return bytes[place..<place + length * size]
    }

    private func references(_ place: inout Int, _ low: Int) throws(Fault) -> [Int] {
        let length = low == 0x0F ? try self.length(&place) : low
        return try references(place, length)
    }

    private func references(_ place: Int, _ length: Int) throws(Fault) -> [Int] {
        guard place <= offsetTable, length * referenceSize <= offsetTable - place else { throw Fault() }
        var references: [Int] = []
        for index in 0..<length {
            references.append(try BinaryPropertyList.number(bytes, place + index * referenceSize, referenceSize))
        }
        return references
    }
}
