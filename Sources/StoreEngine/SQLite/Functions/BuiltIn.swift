/// The functions and collations of every connection.
///
/// This folder works on values and strings; how SQLite calls them is defined in `SQLite/`.
enum BuiltIn {
    static let functions = [
        RegularExpression.function, CaseFolding.fold, CaseFolding.lower, CaseFolding.upper, AccentFolding.function,
        CharacterCount.function, ListArgument.function, Distance.function, JSONMember.function, JSONElements.count,
        JSONElements.contains, ScaledDecimal.function, CaseRange.function, ZonedDate.function, RowKey.function,
        FoldedSearch.function, PatternLiterals.bound,
    ]

    static let collations = [CaseFolding.collation, DecimalOrder.collation]
}

/// The reason that a built-in function cannot return a result.
struct FunctionFailure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// A built-in function was interrupted.
struct FunctionInterrupted: Error {}
