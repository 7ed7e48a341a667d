// Functions: the library's and the user's SQL functions in Swift, and their registration with SQLite. A function must
// not use the connection that calls it.

internal import CSQLite

extension EngineFunction {
    /// Creates a function of this package: deterministic, and harmless in every context.
    convenience init(
        builtIn name: String, argumentCount: Int, body: @escaping @Sendable (borrowing FunctionCall) throws -> Void
    ) {
        self.init(name, argumentCount: argumentCount, isDeterministic: true, isInnocuous: true, body: body)
    }

    var flags: Int32 {
        SQLITE_UTF8 | (isDeterministic ? SQLITE_DETERMINISTIC : 0)
            | (isInnocuous ? SQLITE_INNOCUOUS : SQLITE_DIRECTONLY)
    }
}

extension SQLAdditions {
    /// Checks that SQLite accepts each name, and that no name is built in or repeated.
    func check() throws(StoreError) {
        var known: Set<String> = []
        for function in functions {
            try SQLAdditions.check(function.name, "function", BuiltIn.functions.map(\.name) + [EntrySignature.function])
            let count = function.argumentCount
            if let count, !(0...SQLAdditions.mostArguments).contains(count) {
                throw StoreError(
                    .misuse,
                    "The SQL function \(function.name.debugDescription) has \(count) arguments. Declare 0 to "
                        + "\(SQLAdditions.mostArguments) arguments, or nil for any number")
            }
            guard known.insert("\(function.name.asciiLowercased)/\(count ?? -1)").inserted else {
                throw StoreError(.misuse, "The SQL function \(function.name.debugDescription) is declared twice")
            }
        }
        known = []
        for collation in collations {
            try SQLAdditions.check(collation.name, "collation", BuiltIn.collations.map(\.name) + SQLAdditions.sqlite)
            guard known.insert(collation.name.asciiLowercased).inserted else {
                throw StoreError(.misuse, "The SQL collation \(collation.name.debugDescription) is declared twice")
            }
        }
    }

    private static func check(_ name: String, _ kind: String, _ reserved: [String]) throws(StoreError) {
        let problem: String? =
            if name.isEmpty {
                "has an empty name"
            } else if name.utf8.contains(0) {
                "has a NUL in its name"
            } else if name.utf8.count > longestName {
                "has a name of \(name.utf8.count) bytes, and the limit is \(longestName)"
            } else if name.asciiLowercased.hasPrefix("po_") || reserved.contains(name.asciiLowercased) {
                "has a name that is already taken"
            } else {
                nil
            }
        guard let problem else { return }
        let shown = name.count > 40 ? name.prefix(40) + "…" : name[...]
        throw StoreError(.misuse, "The SQL \(kind) \(String(shown).debugDescription) \(problem). Choose another name")
    }

    /// SQLite's limit.
    private static let longestName = 255
    /// The lowest limit that SQLite is built with.
    private static let mostArguments = 100
    /// The collations of SQLite's own indexes.
    private static let sqlite = ["binary", "nocase", "rtrim"]
}

extension String {
    /// The string with ASCII letters in lowercase, because SQL ignores the case of ASCII letters in names.
    fileprivate var asciiLowercased: String {
        String(decoding: utf8.map { ASCII.lowercased($0) }, as: UTF8.self)
    }
}
