/// The engine-specific SQL: a value that provides the layers above with all SQL that differs between engines.
///
/// SQL that all engines share is written where it is used. Each statement is generated once, so a member need not be
/// fast.
package struct Dialect: Sendable {
    // MARK: Tables

    /// The declared type of a column.
    package var declaredType: @Sendable (LogicalType) -> SQL
    /// Whether a table can refer to a table that is created later.
    package var refersAhead: Bool
    /// The declaration of the column `"id"`: ids are never reused.
    package var idColumn: SQL
    /// The declaration of a database-assigned key, in a table that belongs to no class.
    package var numberedKey: SQL
    /// The row number that the database assigns, in existing tables.
    package var rowNumber: SQL
    /// The end of a class's table definition.
    package var tableOptions: SQL
    /// The end of the definition of a table that is accessed only by its primary key.
    package var keyedTableOptions: SQL
    /// A random UUID as a column's default: a lowercase string for a text column.
    package var randomKey: @Sendable (LogicalType) -> SQL
    /// A trigger that fires when a row is deleted.
    package var deleteTrigger: @Sendable (DeleteTriggerText) -> SQL
    /// Drops a trigger from its table.
    package var dropTrigger: @Sendable (_ name: String, _ table: String) -> SQL

    /// A value as a literal, for columns' defaults; nil if no literal gives exactly this value in a column of the type.
    package var literal: @Sendable (DatabaseValue, LogicalType) -> SQLLiteral?
    /// The neutral value of a required column.
    package var neutralValue: @Sendable (LogicalType) -> DatabaseValue

    // MARK: Lists

    /// The operator and operand, after a value, that test membership in a list passed as one argument.
    package var isInList: @Sendable (_ list: SQL, _ encoding: ListEncoding) -> SQL
    /// A list passed as one argument, as a subquery after an existing `IN`.
    package var listRows: @Sendable (_ list: SQL, _ encoding: ListEncoding) -> SQL
    /// A list passed as one argument, as a table with the column `"value"`.
    package var listTable: @Sendable (_ list: SQL, _ alias: String) -> SQL
    /// Whether the library's own functions can be called with values of rows, and not only with arguments.
    package var callsFunctionsOfRows: Bool
    /// Whether a join with a list of keys is faster than a membership test.
    package var joinsLists: Bool
    /// An unconditional join, in any order.
    package var join: SQL
    /// A join that iterates over the rows on its left in their order.
    package var orderedJoin: SQL
    /// The maximum number of arguments of a statement.
    package var argumentLimit: Int
    /// Whether a column can be set to one of several arguments without a type cast.
    package var takesUntypedChoices: Bool

    // MARK: Comparisons

    /// The operator for equality that treats nil as equal to nil.
    package var isSame: SQL
    /// The operator for inequality that treats nil as equal only to nil.
    package var isNotSame: SQL
    /// A condition that is always true.
    package var always: SQL
    /// A condition that is never true.
    package var never: SQL
    /// Whether a property of type `Bool` is true.
    package var isTrue: @Sendable (SQL) -> SQL
    /// The suffix of a sort expression; by default nil sorts first, in descending order last.
    package var ordering: @Sendable (_ isDescending: Bool, _ hasNilLast: Bool?) -> SQL
    /// A string for case-insensitive comparison and sorting.
    package var ignoringCase: @Sendable (SQL) -> SQL
    /// A condition that an index can serve; nil if the folded column can be indexed itself.
    ///
    /// It holds for all strings that equal, or start with, a folded string ignoring case, and for few other strings.
    package var caseRange: (@Sendable (_ column: SQL, _ folded: SQL, _ isPrefix: Bool) -> SQL)?
    /// How an index is replaced while other sessions write; nil for an engine whose indexes serve every position of NULL,
    /// so that none is outdated.
    package var indexReplacement: IndexReplacement?
    /// The index expression of a column for case-insensitive lookups.
    package var caselessKey: @Sendable (_ column: SQL) -> SQL
    /// A decimal number, a column or a string of its digits, in the form for comparing and sorting.
    package var decimalOrder: @Sendable (SQL) -> SQL
    /// The string of the decimal number that an integer column counts in smallest units, given the scale.
    package var scaledDecimal: @Sendable (_ number: SQL, _ scale: Int) -> SQL
    /// The value for no limit, if an offset needs one.
    package var noLimit: SQL
    /// The clause after `INSERT` or `UPDATE` in a statement that writes several rows: if one of them is rejected, the
    /// earlier ones may stay, because the surrounding transaction or savepoint is rolled back then. Such a statement is
    /// a `Connection.batchStatement(_:)`.
    package var batchClause: SQL
    /// What an insertion needs before VALUES if it assigns ids that an existing table would always generate.
    package var assignedIDClause: SQL
    /// The end of an insert whose rows may exist: without columns to update, existing rows are unchanged.
    package var upsert: @Sendable (_ key: [String], _ updated: [String]) -> SQL

    // MARK: Texts, dates and numbers

    /// Whether a string matches a pattern or contains a substring.
    package var matches: @Sendable (TextMatch, _ text: SQL, _ pattern: SQL) -> SQL
    /// Whether a string has a prefix, given the first string with the prefix and the first string after all of these.
    package var hasPrefix: @Sendable (_ text: SQL, _ first: SQL, _ end: SQL) -> SQL
    /// Whether a string ends with some bytes, given their number.
    package var hasSuffix: @Sendable (_ text: SQL, _ bytes: SQL, _ count: SQL) -> SQL
    /// A UUID that is stored as 16 bytes, as a lowercase string.
    package var uuidText: @Sendable (SQL) -> SQL
    /// The decimal number of a column, as the string of its digits.
    package var decimalText: @Sendable (SQL) -> SQL
    /// The result of an expression, as a column of a type stores it.
    package var stored: @Sendable (SQL, LogicalType) -> SQL
    /// The result of a string function.
    package var text: @Sendable (TextFunction, SQL) -> SQL
    /// The reason that the engine lacks a function of strings, and what to do instead; nil if it has the function.
    package var textRefusal: @Sendable (RefusableText) -> String?
    /// The number of bytes of a value.
    package var byteCount: @Sendable (SQL) -> SQL
    /// The value in a JSON document at a path of keys, as a column of a type would store it.
    package var jsonMember: @Sendable (_ document: SQL, _ keys: [SQLLiteral], ColumnType) -> SQL
    /// The number of elements of a list in a JSON document; NULL if there is none.
    package var jsonCount: @Sendable (JSONListText) -> SQL
    /// Whether a list in a JSON document contains an element, which is also JSON; false if there is no list.
    package var jsonContains: @Sendable (JSONListText, _ element: SQL) -> SQL
    /// A part of a date that is stored as seconds since 2001, in a time zone; NULL before the year 0 and after the year
    /// 9999 in every engine.
    package var datePart: @Sendable (DatePart, SQL, DateZone) -> SQL
    /// A date stored as text, or as a Julian day number, as integer seconds since 2001.
    package var secondsOfDate: @Sendable (SQL) -> SQL
    /// A divisor that is nil if it is 0, because division by 0 is nil.
    package var divisor: @Sendable (SQL) -> SQL
    /// The sum as a floating-point number, 0 without rows.
    package var total: @Sendable (SQL) -> SQL
    /// A sum of integers, as an integer.
    package var wholeSum: @Sendable (SQL) -> SQL

    /// Whether a function with this number of arguments is an aggregate.
    package var isAggregate: @Sendable (_ name: String, _ argumentCount: Int) -> Bool

    // MARK: Other statements

    /// Explains how a statement would run.
    package var explanation: @Sendable (SQL) -> SQL
    /// The full-text search index.
    package var search: SearchDialect
    /// The history of rows.
    package var history: HistoryDialect
}

extension Dialect {
    /// `batchClause` in a statement that writes several rows.
    package func batchClause(ofRows count: Int) -> SQL { count > 1 ? batchClause : "" }
}

/// The encoding of a list's elements in its argument.
package enum ListEncoding: Sendable {
    /// Unencoded.
    case plain
    /// Tagged: see `ListArgument`.
    case tagged
}

/// A list in a JSON document at a path of keys: an array, or the values of an object.
package struct JSONListText: Sendable {
    package let document: SQL
    package let keys: [SQLLiteral]
    package let isObject: Bool

    package init(document: SQL, keys: [SQLLiteral], isObject: Bool) {
        self.document = document
        self.keys = keys
        self.isObject = isObject
    }
}

/// How a string is matched.
package enum TextMatch: Sendable {
    /// The wildcards `*`, `?` and `[…]`.
    case glob
    case regularExpression
    /// The same in a column of texts, with a pattern that begins with `^` and literal characters.
    case anchoredExpression
    /// A substring.
    case contains
    /// A folded substring, in a text that is not folded yet.
    case containsFolded
}

/// A function of a string.
package enum TextFunction: Sendable {
    case lowercased, uppercased
    /// The form for case-insensitive comparison.
    case folded
    /// Without the accents on its letters.
    case unaccented
    /// The number of characters, as Swift counts them.
    case characterCount
}

/// A function of strings that not every engine has.
package enum RefusableText: Sendable {
    case regularExpression, characterCount
}

/// The time zone for the parts of a date.
package enum DateZone: Hashable, Sendable {
    /// A fixed number of seconds east of universal time.
    case offset(Int)
    /// A zone of the time zone database, by its name.
    case named(SQLLiteral)
}

/// A part of a date.
package enum DatePart: String, Sendable {
    case year, month, day, hour, minute, second
    /// From 1 for Sunday, as in Foundation's calendars.
    case weekday
    case dayOfYear
}
