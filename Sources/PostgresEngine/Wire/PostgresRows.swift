internal import StoreEngine

/// The rows of a result, one after the other, each taken apart.
final class PostgresRows {
    /// How a column's bytes are read.
    private enum Reading {
        case int8, text, float8, blob, int4, int2, bool, float4, jsonb
        case numeric(isStored: Bool)
        case unknown(PostgresType)
    }

    let result: PostgresResult
    private let rowCount: Int
    private let readings: UnsafeMutableBufferPointer<Reading>
    private let cells: UnsafeMutableBufferPointer<Cell>
    private var place = -1

    init(_ result: PostgresResult) {
        self.result = result
        rowCount = result.rowCount
        let count = result.columnCount
        readings = .allocate(capacity: count)
        for place in 0..<count {
            (readings.baseAddress.unsafelyUnwrapped + place)
                .initialize(to: PostgresRows.reading(result.type(place), isStored: result.isStored(place)))
        }
        cells = .allocate(capacity: count)
        cells.initialize(repeating: .null)
    }

    deinit {
        readings.deinitialize()
        readings.deallocate()
        cells.deallocate()
    }

    /// The row that it is on; none before the first and behind the last.
    var row: CellBuffer { place >= 0 && place < rowCount ? UnsafeBufferPointer(cells) : .none }

    /// Goes to the next row; false when there is none. Texts and blobs are good as long as the result.
    func next() throws(StoreError) -> Bool {
        place += 1
        guard place < rowCount else { return false }
        for column in cells.indices {
            // Nothing and NULL have the same length.
            let bytes = result.bytes(place, column)
            if bytes.isEmpty, result.isNull(place, column) {
                cells[column] = .null
                continue
            }
            switch readings[column] {
            case .int8: cells[column] = Cell(Int64(bigEndian: bytes.loadUnaligned(as: Int64.self)))
            case .text:
                cells[column] = Cell(text: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), count: bytes.count)
            case .float8:
                cells[column] = Cell(Double(bitPattern: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))))
            case .blob: cells[column] = Cell(blob: bytes.baseAddress, count: bytes.count)
            default: cells[column] = try seldomCell(bytes, column)
            }
        }
        return true
    }

    /// A value of a type that our own tables do not have.
    private func seldomCell(_ bytes: UnsafeRawBufferPointer, _ column: Int) throws(StoreError) -> Cell {
        switch readings[column] {
        case .int4: return Cell(Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self))))
        case .int2: return Cell(Int64(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self))))
        case .bool: return Cell(Int64(bytes[0]))
        case .float4: return Cell(Double(Float(bitPattern: UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self)))))
        case .jsonb:
            // Behind the number of its form.
            let start = bytes.baseAddress.map { $0 + 1 }
            return Cell(text: start?.assumingMemoryBound(to: UInt8.self), count: bytes.count - 1)
        case .numeric(let isStored):
            let number = PostgresNumeric(bytes)
            if let whole = number.whole { return Cell(whole) }
            // A sum that is rounded could be taken for one that fits.
            if !number.isWhole || isStored, let real = number.real { return Cell(real) }
            var error = StoreError(
                .notRepresentable,
                "\(result.name(column)) is a number that Int64 cannot hold; cast it: ::float8, or ::text")
            error.isIntegerOverflow = true
            throw error
        case .unknown(let type):
            throw StoreError(
                .unsupported,
                "the column \(result.name(column)) is of a type of PostgreSQL's that has no counterpart "
                    + "(number \(type.number)); cast it: \(result.name(column))::text")
        case .int8, .text, .float8, .blob: return .null
        }
    }

    private static func reading(_ type: PostgresType, isStored: Bool) -> Reading {
        switch type {
        case .int8: .int8
        case .int4: .int4
        case .int2: .int2
        case .bool: .bool
        case .float8: .float8
        case .float4: .float4
        case .numeric: .numeric(isStored: isStored)
        case .jsonb: .jsonb
        case .bytea, .uuid: .blob
        // A function without a result.
        case PostgresType(2278): .text
        case _ where type.isText: .text
        default: .unknown(type)
        }
    }
}

/// A `numeric` in the server's binary form: digits to the base of 10,000.
struct PostgresNumeric {
    private let digits: [Int16]
    private let weight: Int
    private let sign: UInt16
    private let scale: Int

    init(_ bytes: UnsafeRawBufferPointer) {
        func part(_ place: Int) -> UInt16 {
            UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: place * 2, as: UInt16.self))
        }
        let count = Int(part(0))
        weight = Int(Int16(bitPattern: part(1)))
        sign = part(2)
        scale = Int(part(3))
        digits = (0..<count).map { Int16(bitPattern: part(4 + $0)) }
    }

    /// Whether it is a number without decimal places.
    var isWhole: Bool { scale == 0 && (sign == 0 || sign == 0x4000) }

    /// The number where it has no decimal places; nil where it has, or does not fit.
    var whole: Int64? {
        guard isWhole else { return nil }
        var number: Int64 = 0
        guard weight < 5 else { return nil }
        for place in 0...Swift.max(weight, 0) {
            let digit = Int64(place < digits.count && weight >= 0 ? digits[place] : 0)
            let (product, isTooLarge) = number.multipliedReportingOverflow(by: 10_000)
            // Downwards, where there is one number more.
            let (sum, isBeyond) = product.subtractingReportingOverflow(digit)
            guard !isTooLarge, !isBeyond else { return nil }
            number = sum
        }
        if sign == 0x4000 { return number }
        return number == .min ? nil : -number
    }

    /// The nearest floating-point number.
    var real: Double? {
        switch sign {
        case 0xD000: .infinity
        case 0xF000: -.infinity
        case 0xC000: .nan
        default: Double(text)
        }
    }

    /// Its decimal digits.
    var text: String {
        var text = sign == 0x4000 ? "-" : ""
        if weight < 0 { text += "0" }
        for place in 0..<Swift.max(weight + 1, 0) {
            let digit = String(place < digits.count ? digits[place] : 0)
            text += place == 0 ? digit : String(repeating: "0", count: 4 - digit.count) + digit
        }
        guard scale > 0 else { return text }
        var decimals = ""
        var place = weight + 1
        while decimals.count < scale {
            let digit = String(digits.indices.contains(place) ? digits[place] : 0)
            decimals += String(repeating: "0", count: 4 - digit.count) + digit
            place += 1
        }
        return text + "." + decimals.prefix(scale)
    }
}
