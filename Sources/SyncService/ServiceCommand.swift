/// The commands of the program `sync-service`.
package struct ServiceCommand {
    /// How the program is called.
    package static let usage = """
        Usage: sync-service FILE serve [--port N]
               sync-service FILE add ACCOUNT [--megabytes N]
               sync-service FILE remove ACCOUNT
               sync-service FILE accounts
        """

    package struct UsageError: Error, CustomStringConvertible {
        package let description = ServiceCommand.usage
    }

    private let file: String
    private let name: String
    private var operands: ArraySlice<String>

    package init(_ arguments: [String]) throws {
        guard arguments.count >= 2 else { throw UsageError() }
        (file, name, operands) = (arguments[0], arguments[1], arguments[2...])
    }

    /// Runs the command.
    ///
    /// - Returns: The service, if the command starts one.
    package mutating func run(_ print: (String) -> Void) throws -> SyncService? {
        switch name {
        case "serve":
            let port = try option("--port", UInt16.self) ?? 8420
            try end()
            let service = try SyncService(file: file, port: port)
            print("http://127.0.0.1:\(service.port)\nPress Control-C to stop")
            return service
        case "add":
            let account = try operand()
            let megabytes = try option("--megabytes", UInt32.self) ?? 1000
            try end()
            print(try with { try $0.addAccount(account, space: Int(megabytes) * 1_000_000) })
        case "remove":
            let account = try operand()
            try end()
            print(try with { try $0.removeAccount(account) } ? "Removed \(account)" : "There is no account \(account)")
        case "accounts":
            try end()
            for account in try with({ try $0.accounts() }) {
                print("\(account.name): \(account.used) of \(account.space) bytes")
            }
        default: throw UsageError()
        }
        return nil
    }

    private func with<R>(_ body: (EntryStore) throws -> R) throws -> R {
        let entries = try EntryStore(file)
        defer { entries.close() }
        return try body(entries)
    }

    private mutating func operand() throws -> String {
        guard let next = operands.popFirst(), !next.hasPrefix("--") else { throw UsageError() }
        return next
    }

    private mutating func option<N: FixedWidthInteger>(_ name: String, _ type: N.Type) throws -> N? {
        guard operands.first == name else { return nil }
        operands.removeFirst()
        guard let number = operands.popFirst().flatMap({ N($0) }) else { throw UsageError() }
        return number
    }

    private func end() throws {
        guard operands.isEmpty else { throw UsageError() }
    }
}
