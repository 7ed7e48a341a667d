internal import CSQLite

// C receives the address of an object and calls back with it. The object is retained as long as SQLite has the address,
// and each callback casts it to exactly the class that was registered with it.
extension SQLiteConnection {
    /// Registers the built-in functions and collations, and the program's.
    func register(_ additions: SQLAdditions) throws(StoreError) {
        try additions.check()
        try signature.register(with: handle)
        for function in BuiltIn.functions + additions.ownFunctions + additions.functions { try register(function) }
        for collation in BuiltIn.collations + additions.collations { try register(collation) }
    }

    /// Registers a function with this connection, replacing a function with the same name and number of arguments.
    package func register(_ function: EngineFunction) throws(StoreError) {
        // SQLite calls the last argument even if it fails.
        let code = sqlite3_create_function_v2(
            handle, function.name, Int32(clamping: function.argumentCount ?? -1), function.flags,
            Unmanaged.passRetained(RegisteredFunction(function, interruption)).toOpaque(),
            { context, count, values in
                guard let context, let address = sqlite3_user_data(context) else { return }
                let function = Unmanaged<RegisteredFunction>.fromOpaque(address).takeUnretainedValue().function
                let call = FunctionCall(context, values, count: count)
                do { try function.body(call) } catch { call.fail(function.name, error) }
            }, nil, nil,
            { address in if let address { Unmanaged<RegisteredFunction>.fromOpaque(address).release() } })
        guard code == SQLITE_OK else {
            throw .engine(code, message: "SQLite does not accept the function \(function.name.debugDescription)")
        }
    }

    /// Registers a collation with this connection, replacing a collation with the same name.
    package func register(_ collation: EngineCollation) throws(StoreError) {
        let box = Unmanaged.passRetained(collation)
        let code = sqlite3_create_collation_v2(
            handle, collation.name, SQLITE_UTF8, box.toOpaque(),
            { address, countA, textA, countB, textB in
                guard let address else { return 0 }
                let a = UnsafeRawBufferPointer(start: textA, count: textA == nil ? 0 : Int(countA))
                let b = UnsafeRawBufferPointer(start: textB, count: textB == nil ? 0 : Int(countB))
                return Unmanaged<EngineCollation>.fromOpaque(address).takeUnretainedValue().compare(a, b)
            }, { address in if let address { Unmanaged<EngineCollation>.fromOpaque(address).release() } })
        guard code == SQLITE_OK else {
            // Unlike for functions, SQLite does not release the object.
            box.release()
            throw .engine(code, message: "SQLite does not accept the collation \(collation.name.debugDescription)")
        }
    }
}

/// A function registered with one connection.
final class RegisteredFunction {
    let function: EngineFunction
    /// Not retained: the connection, which owns it, outlives each call.
    unowned let interruption: Interruption

    init(_ function: EngineFunction, _ interruption: Interruption) {
        self.function = function
        self.interruption = interruption
    }
}
