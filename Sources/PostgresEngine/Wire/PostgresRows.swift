internal import StoreEngine

/// The rows of a result, one after the other, each taken apart.
final class PostgresRows {
    /// How a column's bytes are read.
    private enum Reading {
        case int8, text, float8, blob, int4, int2, bool, float4, jsonb
        case numeric(isStored: Bool)
        /// As the library declares the columns of decimal numbers.
        case decimal
        case unknown(PostgresType)
    }

    let result: PostgresResult
    private let rowCount: Int
    private let readings: UnsafeMutableBufferPointer<Reading>
    private let cells: UnsafeMutableBufferPointer<Cell>
    private var place = -1
    /// The digits of decimal numbers, which the server does not send as text.
    private var texts: PostgresTexts?

    init(_ result: PostgresResult) {
        self.result = result
        rowCount = result.rowCount
        let count = result.columnCount
        readings = .allocate(capacity: count)
        for place in 0..<count {
            (readings.baseAddress.unsafelyUnwrapped + place)
                .initialize(to: PostgresRows.reading(result.type(place), in: result, place))
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
            // More digits than a Double keeps.
            if isStored, number.isFinite, number.significantDigitCount > 15 { return digits(number) }
            // A sum that is rounded could be taken for one that fits.
            if !number.isWhole || isStored, let real = number.real { return Cell(real) }
            var error = StoreError(
                .notRepresentable,
                "\(result.name(column)) is a number that Int64 cannot hold; cast it: ::float8, or ::text")
            error.isIntegerOverflow = true
            throw error
        case .decimal:
            let number = PostgresNumeric(bytes)
            return number.isFinite ? digits(number) : Cell(number.real ?? .nan)
        case .unknown(let type):
            throw StoreError(
                .unsupported,
                "the column \(result.name(column)) is of a type of PostgreSQL's that has no counterpart "
                    + "(number \(type.number)); cast it: \(result.name(column))::text")
        case .int8, .text, .float8, .blob: return .null
        }
    }

    /// The digits of a number as a text, good as long as the result.
    private func digits(_ number: PostgresNumeric) -> Cell {
        let texts = self.texts ?? PostgresTexts()
        self.texts = texts
        return texts.add(number.digits)
    }

    private static func reading(_ type: PostgresType, in result: PostgresResult, _ column: Int) -> Reading {
        switch type {
        case .int8: .int8
        case .int4: .int4
        case .int2: .int2
        case .bool: .bool
        case .float8: .float8
        case .float4: .float4
        case .numeric where result.isStored(column) && !result.isLimited(column): .decimal
        case .numeric: .numeric(isStored: result.isStored(column))
        case .jsonb: .jsonb
        case .bytea, .uuid: .blob
        // A function without a result.
        case PostgresType(2278): .text
        case _ where type.isText: .text
        default: .unknown(type)
        }
    }
}

/// Texts of our own making, each where it is until all of them go.
private final class PostgresTexts {
    private var chunks: [UnsafeMutableBufferPointer<UInt8>] = []
    private var used = 0

    deinit { for chunk in chunks { chunk.deallocate() } }

    /// The text as a cell.
    func add(_ text: String) -> Cell {
        let count = text.utf8.count
        if chunks.isEmpty || used + count >= (chunks.last?.count ?? 0) {
            chunks.append(.allocate(capacity: max(count + 1, chunks.isEmpty ? 1 << 8 : 1 << 16)))
            used = 0
        }
        let place = UnsafeMutableBufferPointer(rebasing: chunks[chunks.count - 1][used...])
        _ = place.initialize(from: text.utf8)
        place.initializeElement(at: count, to: 0)
        used += count + 1
        return Cell(text: UnsafePointer(place.baseAddress), count: count)
    }
}
