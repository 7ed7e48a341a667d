internal import CSQLite

/// One call of an SQL function: its arguments and its result.
///
/// Without a result the function returns NULL.
package struct FunctionCall: ~Copyable {
    let context: OpaquePointer
    /// The arguments of the call.
    package let arguments: SQLArguments

    init(_ context: OpaquePointer, _ values: UnsafeMutablePointer<OpaquePointer?>?, count: Int32) {
        self.context = context
        arguments = SQLArguments(values, count: count)
    }

    /// Returns a value; NaN, which SQLite would turn into NULL, is rejected.
    package func give(_ value: DatabaseValue) throws(ValueFault) {
        switch value {
        case .null: sqlite3_result_null(context)
        case .integer(let number): sqlite3_result_int64(context, number)
        case .real(let number):
            guard !number.isNaN else { throw .notStorable(reason: "the result is NaN, which SQLite cannot represent") }
            sqlite3_result_double(context, number)
        case .text(let text): give(text)
        case .blob(let bytes): bytes.withUnsafeBytes { give(blob: $0) }
        }
    }

    /// Returns 1 or 0.
    package func give(isTrue: Bool) { sqlite3_result_int(context, isTrue ? 1 : 0) }

    /// Returns a string.
    package func give(_ text: String) {
        var text = text
        text.withUTF8 { give(text: UnsafeRawBufferPointer($0)) }
    }

    /// Returns a string of valid UTF-8, which is copied.
    package func give(text: UnsafeRawBufferPointer) {
        po_sqlite3_result_text_copied(
            context, text.baseAddress?.assumingMemoryBound(to: CChar.self), UInt64(text.count))
    }

    /// Returns bytes, which are copied.
    package func give(blob bytes: UnsafeRawBufferPointer) {
        po_sqlite3_result_blob_copied(context, bytes.baseAddress, UInt64(bytes.count))
    }

    /// Returns an argument unchanged.
    package func give(argument index: Int) throws(StoreError) {
        sqlite3_result_value(context, try arguments.argument(index).pointer)
    }

    /// A value derived from the argument at `index`, created once for a statement if the argument is the same for all
    /// its rows.
    ///
    /// A function must always use the same class for one argument, because SQLite stores only an address.
    package func kept<T: AnyObject>(forArgument index: Int, _ make: () throws -> T) rethrows -> T {
        if let known = sqlite3_get_auxdata(context, Int32(index)) {
            // Stored below, by the same function, and retained as long as SQLite has it.
            return Unmanaged<T>.fromOpaque(known).takeUnretainedValue()
        }
        let made = try make()
        // SQLite may call the last argument immediately, so only `made` is used from here.
        sqlite3_set_auxdata(context, Int32(index), Unmanaged.passRetained(made).toOpaque()) { address in
            if let address { Unmanaged<AnyObject>.fromOpaque(address).release() }
        }
        return made
    }
}
