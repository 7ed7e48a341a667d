/// The functions and collations that every connection has.
///
/// This folder knows values and texts; how SQLite calls them is said in `SQLite/`.
enum BuiltIn {
    static let functions = [
        RegularExpression.function, CaseFolding.fold, CaseFolding.lower, CaseFolding.upper, AccentFolding.function,
        CharacterCount.function, ListArgument.function, Distance.function, JSONMember.function, JSONElements.count,
        JSONElements.contains, ScaledDecimal.function, CaseRange.function, ZonedDate.function, RowKey.function,
    ]

    static let collations = [CaseFolding.collation, DecimalOrder.collation]
}

/// Why a built-in function cannot give a result.
struct FunctionFailure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// A built-in function was told to end.
struct FunctionInterrupted: Error {}
