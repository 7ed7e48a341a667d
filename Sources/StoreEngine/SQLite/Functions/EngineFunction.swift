// Functions: SQL functions written in Swift, ours and the user's, and how SQLite calls them. They must not use the
// connection that calls them.

internal import CSQLite

/// A function that SQL statements can call.
package final class EngineFunction: Sendable {
    package let name: String
    /// How many arguments it takes; any number where nil.
    package let argumentCount: Int?
    /// Whether equal arguments always give equal results: such a call may be made once for many rows.
    package let isDeterministic: Bool
    /// Whether triggers, views and other parts of a schema, which a stranger may have written, may call it.
    package let isInnocuous: Bool
    package let body: @Sendable (borrowing FunctionCall) throws -> Void

    package init(
        _ name: String, argumentCount: Int?, isDeterministic: Bool, isInnocuous: Bool,
        body: @escaping @Sendable (borrowing FunctionCall) throws -> Void
    ) {
        self.name = name
        self.argumentCount = argumentCount
        self.isDeterministic = isDeterministic
        self.isInnocuous = isInnocuous
        self.body = body
    }

    /// One of this package's own: deterministic, and harmless wherever it is called.
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

/// An order of texts that SQL statements can name behind `COLLATE`.
package final class EngineCollation: Sendable {
    /// Less than, equal to or greater than 0, of texts in UTF-8 that need not be valid; must be a total order.
    package typealias Comparison = @Sendable (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Int32

    package let name: String
    package let compare: Comparison

    package init(_ name: String, compare: @escaping Comparison) {
        self.name = name
        self.compare = compare
    }
}

/// What a program adds to SQL.
package struct SQLAdditions: Sendable, Equatable {
    package var functions: [EngineFunction]
    package var collations: [EngineCollation]

    package init(functions: [EngineFunction] = [], collations: [EngineCollation] = []) {
        self.functions = functions
        self.collations = collations
    }

    /// Whether both are of the same closures.
    package static func == (a: SQLAdditions, b: SQLAdditions) -> Bool {
        a.functions.elementsEqual(b.functions, by: ===) && a.collations.elementsEqual(b.collations, by: ===)
    }

    /// Sees that each has a name that SQLite takes, that is not one of ours, and is not there twice.
    package func check() throws(StoreError) {
        var known: Set<String> = []
        for function in functions {
            try SQLAdditions.check(function.name, "function", BuiltIn.functions.map(\.name))
            let count = function.argumentCount
            if let count, !(0...SQLAdditions.mostArguments).contains(count) {
                throw StoreError(
                    .misuse,
                    "the SQL function \(function.name.debugDescription) has \(count) arguments, "
                        + "0 to \(SQLAdditions.mostArguments) are possible; nil means any number")
            }
            guard known.insert("\(function.name.asciiLowercased)/\(count ?? -1)").inserted else {
                throw StoreError(.misuse, "the SQL function \(function.name.debugDescription) is there twice")
            }
        }
        known = []
        for collation in collations {
            try SQLAdditions.check(collation.name, "collation", BuiltIn.collations.map(\.name) + SQLAdditions.sqlite)
            guard known.insert(collation.name.asciiLowercased).inserted else {
                throw StoreError(.misuse, "the SQL collation \(collation.name.debugDescription) is there twice")
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
                "has a name of \(name.utf8.count) bytes, \(longestName) are possible"
            } else if name.asciiLowercased.hasPrefix("po_") || reserved.contains(name.asciiLowercased) {
                "has a name that is taken"
            } else {
                nil
            }
        guard let problem else { return }
        let shown = name.count > 40 ? name.prefix(40) + "…" : name[...]
        throw StoreError(.misuse, "the SQL \(kind) \(String(shown).debugDescription) \(problem); choose another")
    }

    /// SQLite's limit.
    private static let longestName = 255
    /// The least limit that SQLite is built with.
    private static let mostArguments = 100
    /// The orders that SQLite's own indexes are in.
    private static let sqlite = ["binary", "nocase", "rtrim"]
}

extension String {
    /// Names in SQL are the same whatever the case of their ASCII letters.
    fileprivate var asciiLowercased: String {
        String(decoding: utf8.map { ASCII.lowercased($0) }, as: UTF8.self)
    }
}
