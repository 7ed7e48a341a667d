internal import StoreEngine

/// Rows, decoded one at a time.
final class PostgresRows {
    /// The source of the rows.
    private enum Source {
        case result(PostgresResult, count: Int)
        case stream(PostgresStream)
    }

    private let source: Source
    private let layout: PostgresLayout
    private let cells: UnsafeMutableBufferPointer<Cell>
    private var place = -1
    private var isOnRow = false
    /// The digits of decimal numbers, which the server does not send as text.
    private var texts: PostgresTexts?

    convenience init(_ result: PostgresResult, _ layout: PostgresLayout) {
        self.init(.result(result, count: result.rowCount), layout)
    }

    /// Creates rows that are streamed from the server.
    convenience init(_ stream: PostgresStream, _ layout: PostgresLayout) { self.init(.stream(stream), layout) }

    private init(_ source: Source, _ layout: PostgresLayout) {
        self.source = source
        self.layout = layout
        cells = .allocate(capacity: layout.columns.count)
        cells.initialize(repeating: .null)
    }

    deinit { cells.deallocate() }

    /// The columns of the rows.
    var columns: [PostgresColumn] { layout.columns }

    /// The current row; empty before the first row and after the last.
    var row: CellBuffer { isOnRow ? UnsafeBufferPointer(cells) : .none }

    /// Advances to the next row; false if there is none. Strings and blobs are valid until the next call.
    func next() throws(StoreError) -> Bool {
        texts?.clear()
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

    /// Discards the remaining rows.
    func abandon() { if case .stream(let stream) = source { stream.abandon() } }

    private func take(_ row: Int, of result: PostgresResult) throws(StoreError) {
        for column in cells.indices {
            // Empty values and NULL have the same length.
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
        try cell(bytes, column, layout.readings[column])
    }

    @inline(__always)
    private func cell(
        _ bytes: UnsafeRawBufferPointer, _ column: Int, _ reading: PostgresLayout.Reading
    ) throws(StoreError) -> Cell {
        switch reading {
        case .int8: Cell(Int64(bigEndian: bytes.loadUnaligned(as: Int64.self)))
        case .text: Cell(text: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), count: bytes.count)
        case .float8: Cell(Double(bitPattern: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))))
        case .blob: Cell(blob: bytes.baseAddress, count: bytes.count)
        default: try seldomCell(bytes, column, reading)
        }
    }

    /// A value of a type that is rare or does not occur in the library's tables.
    private func seldomCell(
        _ bytes: UnsafeRawBufferPointer, _ column: Int, _ reading: PostgresLayout.Reading
    ) throws(StoreError) -> Cell {
        switch reading {
        case .int4: return Cell(Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self))))
        case .int2: return Cell(Int64(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self))))
        case .bool: return Cell(Int64(bytes[0]))
        case .float4: return Cell(Double(Float(bitPattern: UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self)))))
        case .jsonb:
            // The JSON follows a byte with the number of its format.
            let start = bytes.baseAddress.map { $0 + 1 }
            return Cell(text: start?.assumingMemoryBound(to: UInt8.self), count: bytes.count - 1)
        case .numeric(let isStored):
            let number = PostgresNumeric(bytes)
            if let whole = number.whole { return Cell(whole) }
            // A Double would lose digits.
            if isStored, number.isFinite, number.significantDigitCount > 15 { return digits(number) }
            // A rounded sum could be mistaken for an exact one.
            if !number.isWhole || isStored, let real = number.real { return Cell(real) }
            var error = StoreError(
                .notRepresentable,
                "\(columns[column].name) is a number that Int64 cannot represent. Cast it: ::float8, or ::text")
            error.isIntegerOverflow = true
            throw error
        case .decimal:
            let number = PostgresNumeric(bytes)
            return number.isFinite ? digits(number) : Cell(number.real ?? .nan)
        case .timestamp:
            let text = PostgresTimestamp.text(microseconds: Int64(bigEndian: bytes.loadUnaligned(as: Int64.self)))
            return kept(text)
        case .date:
            return kept(PostgresTimestamp.text(days: Int32(bigEndian: bytes.loadUnaligned(as: Int32.self))))
        case .written:
            let (text, type) = (String(decoding: bytes, as: UTF8.self), columns[column].type)
            guard let binary = PostgresTextForm.binary(of: text, type) else {
                return kept(type == .timestamptz ? PostgresTimestamp.withoutOffset(text) : text)
            }
            let copy = kept(binary)
            return try cell(
                UnsafeRawBufferPointer(start: copy.start, count: binary.count), column,
                PostgresLayout.reading(columns[column]))
        case .any:
            let texts = self.texts ?? PostgresTexts()
            self.texts = texts
            if let cell = PostgresAnyValue(bytes)?.cell({ texts.add($0).start }) { return cell }
            fallthrough
        case .unknown:
            let type = columns[column].type
            throw StoreError(
                .unsupported,
                "The column \(columns[column].name) has a PostgreSQL type without a counterpart (number "
                    + "\(type.number)). Cast it: \(columns[column].name)::text")
        case .int8, .text, .float8, .blob: return .null
        }
    }

    private func digits(_ number: PostgresNumeric) -> Cell { kept(number.digits) }

    private func kept(_ text: String) -> Cell { kept(text.utf8) }

    /// A string that is valid until the next row.
    private func kept(_ text: some Collection<UInt8>) -> Cell {
        let texts = self.texts ?? PostgresTexts()
        self.texts = texts
        return texts.add(text)
    }
}

/// Strings created by the library, at fixed addresses until all are cleared.
private final class PostgresTexts {
    private var chunks: [UnsafeMutableBufferPointer<UInt8>] = []
    private var used = 0

    deinit { for chunk in chunks { chunk.deallocate() } }

    /// Clears all strings.
    func clear() {
        while chunks.count > 1 { chunks.removeLast().deallocate() }
        used = 0
    }

    /// Adds the bytes of a string, and returns it as a cell.
    func add(_ text: some Collection<UInt8>) -> Cell {
        let count = text.count
        if chunks.isEmpty || used + count >= (chunks.last?.count ?? 0) {
            chunks.append(.allocate(capacity: max(count + 1, chunks.isEmpty ? 1 << 8 : 1 << 16)))
            used = 0
        }
        let place = UnsafeMutableBufferPointer(rebasing: chunks[chunks.count - 1][used...])
        _ = place.initialize(from: text)
        place.initializeElement(at: count, to: 0)
        used += count + 1
        return Cell(text: UnsafePointer(place.baseAddress), count: count)
    }
}
