internal import CSQLite

/// One call of an SQL function: its arguments, and where its result goes.
///
/// Without a result the function gives NULL.
package struct FunctionCall: ~Copyable {
    let context: OpaquePointer
    /// What it was called with.
    package let arguments: SQLArguments

    init(_ context: OpaquePointer, _ values: UnsafeMutablePointer<OpaquePointer?>?, count: Int32) {
        self.context = context
        arguments = SQLArguments(values, count: count)
    }

    /// Gives a value; NaN, which SQLite would turn into NULL, is refused.
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

    /// Gives a text.
    package func give(_ text: String) {
        var text = text
        text.withUTF8 { give(text: UnsafeRawBufferPointer($0)) }
    }

    /// Gives a text of valid UTF-8, which is copied.
    package func give(text: UnsafeRawBufferPointer) {
        po_sqlite3_result_text_copied(
            context, text.baseAddress?.assumingMemoryBound(to: CChar.self), UInt64(text.count))
    }

    /// Gives bytes, which are copied.
    package func give(blob bytes: UnsafeRawBufferPointer) {
        po_sqlite3_result_blob_copied(context, bytes.baseAddress, UInt64(bytes.count))
    }

    /// Gives an argument back as it is.
    package func give(argument index: Int) throws(StoreError) {
        sqlite3_result_value(context, try arguments.argument(index).pointer)
    }

    /// What is made of argument `index` once for a statement, where the argument is the same for all its rows.
    ///
    /// A function must always ask for the same class for one argument: SQLite keeps an address only.
    package func kept<T: AnyObject>(forArgument index: Int, _ make: () throws -> T) rethrows -> T {
        if let known = sqlite3_get_auxdata(context, Int32(index)) {
            // Put there below, by the same function, and retained as long as SQLite has it.
            return Unmanaged<T>.fromOpaque(known).takeUnretainedValue()
        }
        let made = try make()
        // SQLite may call the last argument at once, so that only `made` is used from here.
        sqlite3_set_auxdata(context, Int32(index), Unmanaged.passRetained(made).toOpaque()) { address in
            if let address { Unmanaged<AnyObject>.fromOpaque(address).release() }
        }
        return made
    }
}
