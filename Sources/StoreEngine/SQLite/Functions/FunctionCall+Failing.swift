internal import CSQLite

// What the connection that makes the call has to do with it.
extension FunctionCall {
    /// Who says whether the statement is to end; for functions that take long.
    var interruption: Interruption? {
        // The same address that the call came with.
        sqlite3_user_data(context).map {
            Unmanaged<RegisteredFunction>.fromOpaque($0).takeUnretainedValue().interruption
        }
    }

    /// Fails the statement, with the function's name and what went wrong.
    func fail(_ name: String, _ error: any Error) {
        guard !(error is FunctionInterrupted) else { return sqlite3_result_error_code(context, SQLITE_INTERRUPT) }
        let message = "\(name): \(error)"
        var text = String(message.prefix(FunctionCall.longestMessage))
        text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { text in
                sqlite3_result_error(context, text.baseAddress, Int32(text.count))
            }
        }
    }

    /// In characters; nobody reads more, and an error of a user's own can be of any size.
    private static let longestMessage = 10_000
}
