internal import CSQLite

/// The arguments of one call of an SQL function, read in place from SQLite.
///
/// ```swift
/// SQLFunction("initials", argumentCount: 2, isDeterministic: true) { arguments in
///     let first: String = try arguments.value(0)
///     let last: String = try arguments.value(1)
///     return .text("\(first.prefix(1))\(last.prefix(1))")
/// }
/// ```
///
/// They exist only during the call, so they cannot be copied.
public struct SQLArguments: ~Copyable {
    /// SQLite's array of values, which is valid until the function returns; nothing here outlives the call.
    private let values: UnsafeMutablePointer<OpaquePointer?>?
    /// The number of arguments.
    public let count: Int

    init(_ values: UnsafeMutablePointer<OpaquePointer?>?, count: Int32) {
        self.values = values
        self.count = Int(count)
    }

    /// The argument at `index`, from 0.
    ///
    /// - Throws: `StoreError` if there is no such argument, or if a string is not valid UTF-8.
    public subscript(index: Int) -> DatabaseValue {
        get throws {
            let argument = try argument(index)
            do throws(ValueFault) { return try argument.value() } catch { throw located(error, index) }
        }
    }

    /// Returns whether the argument at `index`, from 0, is NULL.
    ///
    /// - Throws: `StoreError` if there is no such argument.
    public func isNull(_ index: Int) throws -> Bool { try argument(index).isNull }
}

extension SQLArguments {
    /// The argument at `index`, from 0.
    package func argument(_ index: Int) throws(StoreError) -> ColumnValue {
        guard index >= 0, index < count, let value = values?[index] else {
            throw StoreError(.misuse, "There is no argument at index \(index); the call has \(count)")
        }
        return ColumnValue(value)
    }

    /// The type of the argument at `index`.
    package func storageClass(_ index: Int) throws(StoreError) -> StorageClass { try argument(index).storageClass }

    /// Whether any of them is NULL.
    package var hasNull: Bool {
        // Each index is valid, so nothing is thrown.
        (0..<count).contains { (try? argument($0).isNull) ?? true }
    }

    /// The string of the argument at `index`; nil for NULL.
    package func text(_ index: Int) throws(StoreError) -> String? {
        let argument = try argument(index)
        if argument.isNull { return nil }
        guard case .text = argument.storageClass else { throw mismatch(index, expected: "TEXT") }
        do throws(ValueFault) { return try argument.text() } catch { throw located(error, index) }
    }

    /// The unvalidated UTF-8 of the argument at `index`, until the call returns; nil if it is not a string.
    package func textBytes(_ index: Int) throws(StoreError) -> UnsafeRawBufferPointer? {
        let value = try argument(index).pointer
        guard sqlite3_value_type(value) == SQLITE_TEXT else { return nil }
        // The string is read before its length, because reading it may convert its encoding.
        guard let start = sqlite3_value_text(value) else { throw .engine(SQLITE_NOMEM, message: "out of memory") }
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
    }

    /// The number of the argument at `index`, which may be an integer; nil for NULL.
    package func number(_ index: Int) throws(StoreError) -> Double? {
        let argument = try argument(index)
        switch argument.storageClass {
        case .null: return nil
        case .integer: return argument.integer.map { Double($0) }
        case .real: return argument.real
        case .text, .blob: throw mismatch(index, expected: "a number")
        }
    }

    /// The integer of the argument at `index`; nil for NULL.
    package func integer(_ index: Int) throws(StoreError) -> Int64? {
        let argument = try argument(index)
        if argument.isNull { return nil }
        guard let number = argument.integer else { throw mismatch(index, expected: "INTEGER") }
        return number
    }

    /// The error for the argument at `index`.
    package func located(_ fault: ValueFault, _ index: Int) -> StoreError {
        if case .typeMismatch(let expected, _) = fault { return mismatch(index, expected: expected) }
        return .value(fault).at(property: "argument \(index + 1)")
    }

    private func mismatch(_ index: Int, expected: String) -> StoreError {
        let found = (try? storageClass(index)) ?? .null
        return StoreError(.typeMismatch, "Argument \(index + 1) is \(found), expected \(expected)")
    }
}
