internal import CSQLite

// C gets the address of an object and calls back with it. The object is retained for as long as SQLite has the address,
// and each callback takes it for exactly the class that was registered with it.
extension SQLiteConnection {
    /// Makes the built-in functions and collations known, and the program's own.
    func register(_ additions: SQLAdditions) throws(StoreError) {
        try additions.check()
        for function in BuiltIn.functions + additions.functions { try register(function) }
        for collation in BuiltIn.collations + additions.collations { try register(collation) }
    }

    /// Makes a function known to this connection; another of its name and number of arguments is replaced.
    package func register(_ function: EngineFunction) throws(StoreError) {
        // Also where it fails SQLite calls the last argument.
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

    /// Makes a collation known to this connection; another of its name is replaced.
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
            // Unlike above, nobody else does it.
            box.release()
            throw .engine(code, message: "SQLite does not accept the collation \(collation.name.debugDescription)")
        }
    }
}

/// A function as one connection knows it.
final class RegisteredFunction {
    let function: EngineFunction
    /// Not retained: the connection, which has it, outlives each call.
    unowned let interruption: Interruption

    init(_ function: EngineFunction, _ interruption: Interruption) {
        self.function = function
        self.interruption = interruption
    }
}
