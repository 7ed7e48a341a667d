internal import StoreEngine

/// Takes the columns of a result's rows apart.
final class PostgresColumns {
    /// How a column's bytes are read.
    private enum Reading {
        case int8, int4, int2, bool, float8, float4, text, jsonb, blob
        case numeric(isStored: Bool)
        case unknown(PostgresType)
    }

    private let readings: [Reading]
    private var cells: UnsafeMutableBufferPointer<Cell>
    /// Texts that the server does not send as such.
    private var made: [UnsafeMutablePointer<CChar>] = []

    init(_ result: PostgresResult) {
        readings = (0..<result.columnCount).map {
            PostgresColumns.reading(result.type($0), isStored: result.isStored($0))
        }
        cells = .allocate(capacity: readings.count)
        cells.initialize(repeating: .null)
    }

    deinit {
        release()
        cells.deallocate()
    }

    var row: UnsafeBufferPointer<Cell> { UnsafeBufferPointer(cells) }

    /// Reads a row; its texts and blobs are good as long as the result.
    func read(_ row: Int, of result: PostgresResult) throws(StoreError) {
        if !made.isEmpty { release() }
        for (place, reading) in readings.enumerated() {
            cells[place] =
                result.isNull(row, place) ? .null : try cell(result.bytes(row, place), reading, result.name(place))
        }
    }

    private func cell(
        _ bytes: UnsafeRawBufferPointer, _ reading: Reading, _ name: @autoclosure () -> String
    ) throws(StoreError) -> Cell {
        switch reading {
        case .int8: return Cell(Int64(bigEndian: bytes.loadUnaligned(as: Int64.self)))
        case .int4: return Cell(Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self))))
        case .int2: return Cell(Int64(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self))))
        case .bool: return Cell(Int64(bytes[0]))
        case .float8: return Cell(Double(bitPattern: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))))
        case .float4: return Cell(Double(Float(bitPattern: UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self)))))
        case .text: return Cell(text: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), count: bytes.count)
        case .jsonb:
            // Behind the number of its form.
            let start = bytes.baseAddress.map { $0 + 1 }
            return Cell(text: start?.assumingMemoryBound(to: UInt8.self), count: bytes.count - 1)
        case .blob: return Cell(blob: bytes.baseAddress, count: bytes.count)
        case .numeric(let isStored):
            let number = PostgresNumeric(bytes)
            if let whole = number.whole { return Cell(whole) }
            // A sum that is rounded could be taken for one that fits.
            if !number.isWhole || isStored, let real = number.real { return Cell(real) }
            var error = StoreError(
                .notRepresentable, "\(name()) is a number that Int64 cannot hold; cast it: ::float8, or ::text")
            error.isIntegerOverflow = true
            throw error
        case .unknown(let type):
            throw StoreError(
                .unsupported,
                "the column \(name()) is of a type of PostgreSQL's that has no counterpart (number \(type.number)); "
                    + "cast it: \(name())::text")
        }
    }

    private func release() {
        for text in made { text.deallocate() }
        made = []
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
