internal import CSQLite

// Values for the placeholders, which are counted from 1.
extension Statement {
    /// Starts a new round of bindings.
    @inlinable @inline(__always)
    package func beginBinding() {
        guard let counts else { foreign?.beginBinding(); return }
        counts.pointee.runs &+= 1
        arena.pointee.reset()
    }

    /// Binds NULL.
    @inlinable @inline(__always)
    package func bindNull(at index: Int32) throws(ValueFault) {
        guard let handle else { return try bindForeign(.null, index) }
        try check(sqlite3_bind_null(handle, index))
    }

    /// Binds an integer.
    @inlinable @inline(__always)
    package func bind(_ value: Int64, at index: Int32) throws(ValueFault) {
        guard let handle else { return try bindForeign(Cell(value), index) }
        try check(sqlite3_bind_int64(handle, index, value))
    }

    /// Binds a number; NaN, which SQLite would turn into NULL, is rejected.
    @inlinable
    package func bind(_ value: Double, at index: Int32) throws(ValueFault) {
        guard !value.isNaN else { throw .notStorable(reason: "NaN cannot be stored. Use an optional and nil") }
        guard let handle else { return try bindForeign(Cell(value), index) }
        try check(sqlite3_bind_double(handle, index, value))
    }

    /// Binds a complete string.
    @inlinable
    package func bind(_ text: String, at index: Int32) throws(ValueFault) {
        guard let handle else { return try bindForeign(text, index) }
        if let code = text.utf8.withContiguousStorageIfAvailable({
            bindText(UnsafeRawBufferPointer($0), handle, index)
        }) {
            try check(code)
        } else {
            try check(Array(text.utf8).withUnsafeBytes { bindText($0, handle, index) })
        }
    }

    /// Binds bytes, which are copied.
    @inlinable
    package func bind(blob bytes: UnsafeRawBufferPointer, at index: Int32) throws(ValueFault) {
        guard let handle else { return try bindForeign(Cell(blob: bytes.baseAddress, count: bytes.count), index) }
        guard let source = bytes.baseAddress, bytes.count > 0 else {
            return try check(sqlite3_bind_zeroblob(handle, index, 0))
        }
        let count = UInt64(bytes.count)
        guard let room = arena.pointee.room(for: bytes.count) else {
            return try check(po_sqlite3_bind_blob_copied(handle, index, source, count))
        }
        room.copyMemory(from: source, byteCount: bytes.count)
        try check(po_sqlite3_bind_blob_static(handle, index, room, count))
    }

    /// Binds a value of any type.
    package func bind(_ value: DatabaseValue, at index: Int32) throws(ValueFault) {
        switch value {
        case .null: try bindNull(at: index)
        case .integer(let number): try bind(number, at: index)
        case .real(let number): try bind(number, at: index)
        case .text(let text): try bind(text, at: index)
        case .blob(let bytes):
            var fault: ValueFault?
            bytes.withUnsafeBytes { buffer in
                do throws(ValueFault) { try bind(blob: buffer, at: index) } catch { fault = error }
            }
            if let fault { throw fault }
        }
    }

    /// Binds the value of a cell, whose bytes are copied.
    package func bind(_ cell: Cell, at index: Int32) throws(ValueFault) {
        guard let handle, cell.storageClass != .real else {
            if let number = cell.real { return try bind(number, at: index) }
            return try bindForeign(cell, index)
        }
        let bytes = UnsafeRawBufferPointer(start: cell.start, count: cell.byteCount)
        switch cell.storageClass {
        case .integer: try bind(cell.integer ?? 0, at: index)
        case .text: try check(bindText(bytes, handle, index))
        case .blob: try bind(blob: bytes, at: index)
        case .null, .real: try bindNull(at: index)
        }
    }

    @inlinable
    func bindText(_ bytes: UnsafeRawBufferPointer, _ handle: OpaquePointer, _ index: Int32) -> Int32 {
        // An empty string needs a non-null pointer; otherwise it is bound as NULL.
        guard let source = bytes.baseAddress, bytes.count > 0 else {
            let start = arena.pointee.start.assumingMemoryBound(to: CChar.self)
            return po_sqlite3_bind_text_static(handle, index, start, 0)
        }
        let count = UInt64(bytes.count)
        guard let room = arena.pointee.room(for: bytes.count) else {
            return po_sqlite3_bind_text_copied(handle, index, source.assumingMemoryBound(to: CChar.self), count)
        }
        room.copyMemory(from: source, byteCount: bytes.count)
        return po_sqlite3_bind_text_static(handle, index, room.assumingMemoryBound(to: CChar.self), count)
    }

    @inlinable @inline(__always)
    func check(_ code: Int32) throws(ValueFault) {
        guard code == SQLITE_OK else { throw .engine(code: code) }
    }

    @usableFromInline
    func bindForeign(_ cell: Cell, _ index: Int32) throws(ValueFault) { try foreign?.bind(cell, at: index) }

    @usableFromInline
    func bindForeign(_ text: String, _ index: Int32) throws(ValueFault) {
        try DatabaseValue.text(text).withCell { (cell) throws(ValueFault) in try bindForeign(cell, index) }
    }
}
