internal import CSQLite

// The part of a call that concerns its connection.
extension FunctionCall {
    /// Determines whether the statement must end; for long-running functions.
    var interruption: Interruption? {
        // The same address that the call received.
        sqlite3_user_data(context).map {
            Unmanaged<RegisteredFunction>.fromOpaque($0).takeUnretainedValue().interruption
        }
    }

    /// Fails the statement with the function's name and the error.
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

    /// In characters; longer messages are not read, and a user's error can have any size.
    private static let longestMessage = 10_000
}
