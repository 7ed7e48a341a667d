internal import StoreEngine

/// Rows, one after the other, each taken apart.
final class PostgresRows {
    /// Where they are, or come from.
    private enum Source {
        case result(PostgresResult, count: Int)
        case stream(PostgresStream)
    }

    private let source: Source
    private let layout: PostgresLayout
    private let cells: UnsafeMutableBufferPointer<Cell>
    private var place = -1
    private var isOnRow = false

    convenience init(_ result: PostgresResult, _ layout: PostgresLayout) {
        self.init(.result(result, count: result.rowCount), layout)
    }

    /// Rows that come from the server as they are read.
    convenience init(_ stream: PostgresStream, _ layout: PostgresLayout) { self.init(.stream(stream), layout) }

    private init(_ source: Source, _ layout: PostgresLayout) {
        self.source = source
        self.layout = layout
        cells = .allocate(capacity: layout.columns.count)
        cells.initialize(repeating: .null)
    }

    deinit { cells.deallocate() }

    /// What their columns are.
    var columns: [PostgresColumn] { layout.columns }

    /// The row that it is on; none before the first and behind the last.
    var row: CellBuffer { isOnRow ? UnsafeBufferPointer(cells) : .none }

    /// Goes to the next row; false when there is none. Texts and blobs are good until the one after it.
    func next() throws(StoreError) -> Bool {
        switch source {
        case .result(let result, let count):
            place += 1
            isOnRow = place < count
            if isOnRow { try take(place, of: result) }
        case .stream(let stream):
            isOnRow = false
            guard let bytes = try stream.next() else { return false }
            try take(bytes, of: stream)
            isOnRow = true
        }
        return isOnRow
    }

    /// Nobody wants the rest.
    func abandon() { if case .stream(let stream) = source { stream.abandon() } }

    private func take(_ row: Int, of result: PostgresResult) throws(StoreError) {
        for column in cells.indices {
            // Nothing and NULL have the same length.
            let bytes = result.bytes(row, column)
            if bytes.isEmpty, result.isNull(row, column) {
                cells[column] = .null
            } else {
                cells[column] = try cell(bytes, column)
            }
        }
    }

    private func take(_ bytes: UnsafeRawBufferPointer, of stream: PostgresStream) throws(StoreError) {
        guard Int(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self))) == cells.count else { throw stream.cutShort }
        var place = 2
        for column in cells.indices {
            guard place + 4 <= bytes.count else { throw stream.cutShort }
            let length = Int(Int32(bigEndian: bytes.loadUnaligned(fromByteOffset: place, as: Int32.self)))
            place += 4
            guard length >= 0 else {
                cells[column] = .null
                continue
            }
            guard place + length <= bytes.count else { throw stream.cutShort }
            cells[column] = try cell(UnsafeRawBufferPointer(rebasing: bytes[place..<place + length]), column)
            place += length
        }
        stream.didRead(place)
    }

    @inline(__always)
    private func cell(_ bytes: UnsafeRawBufferPointer, _ column: Int) throws(StoreError) -> Cell {
        switch layout.readings[column] {
        case .int8: Cell(Int64(bigEndian: bytes.loadUnaligned(as: Int64.self)))
        case .text: Cell(text: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), count: bytes.count)
        case .float8: Cell(Double(bitPattern: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))))
        case .blob: Cell(blob: bytes.baseAddress, count: bytes.count)
        default: try seldomCell(bytes, column)
        }
    }

    /// A value of a type that our own tables do not have.
    private func seldomCell(_ bytes: UnsafeRawBufferPointer, _ column: Int) throws(StoreError) -> Cell {
        switch layout.readings[column] {
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
                "\(columns[column].name) is a number that Int64 cannot hold; cast it: ::float8, or ::text")
            error.isIntegerOverflow = true
            throw error
        case .unknown(let type):
            throw StoreError(
                .unsupported,
                "the column \(columns[column].name) is of a type of PostgreSQL's that has no counterpart "
                    + "(number \(type.number)); cast it: \(columns[column].name)::text")
        case .int8, .text, .float8, .blob: return .null
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
