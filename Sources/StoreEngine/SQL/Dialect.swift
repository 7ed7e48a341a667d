/// How an engine says what SQL leaves to engines: a value, from which the layers above take every text that another
/// engine would write in another way.
///
/// What all engines write alike stands where it is used. Texts are made once
/// for each shape of a statement, so a member may take its time.
package struct Dialect: Sendable {
    // MARK: Tables

    /// The type that a column is declared with.
    package var declaredType: @Sendable (LogicalType) -> SQL
    /// Whether a table can refer to one that is made after it.
    package var refersAhead: Bool
    /// How the column `"id"` is declared: no id is ever used again.
    package var idColumn: SQL
    /// How the key of a table that is no class's is declared, where the database gives the numbers.
    package var numberedKey: SQL
    /// The number that the database itself gives each row, in tables that others have made.
    package var rowNumber: SQL
    /// What ends the definition of a class's table.
    package var tableOptions: SQL
    /// What ends the definition of a table that is looked into by its primary key only.
    package var keyedTableOptions: SQL
    /// A random UUID as a column's default: a text in lower case for a column of texts.
    package var randomKey: @Sendable (LogicalType) -> SQL
    /// A trigger that acts where a row is deleted.
    package var deleteTrigger: @Sendable (DeleteTriggerText) -> SQL
    /// Takes a trigger from its table.
    package var dropTrigger: @Sendable (_ name: String, _ table: String) -> SQL

    /// A value written out, for columns' defaults; nil where no literal gives exactly this value to a column of the type.
    package var literal: @Sendable (DatabaseValue, LogicalType) -> SQLLiteral?
    /// What a column of a type has that must have something.
    package var neutralValue: @Sendable (LogicalType) -> DatabaseValue

    // MARK: Lists

    /// What stands behind a value to ask whether it is in a list that is one argument.
    package var isInList: @Sendable (_ list: SQL, _ encoding: ListEncoding) -> SQL
    /// A list that is one argument as a subquery, for texts that have the `IN` already.
    package var listRows: @Sendable (_ list: SQL, _ encoding: ListEncoding) -> SQL
    /// A list that is one argument as a table, whose column is `"value"`.
    package var listTable: @Sendable (_ list: SQL, _ alias: String) -> SQL
    /// Whether rows are found faster by a join with the list of their keys than by membership in it.
    package var joinsLists: Bool
    /// A join without a condition of its own, in whichever order.
    package var join: SQL
    /// A join that goes over the rows on its left in their order.
    package var orderedJoin: SQL
    /// How many arguments a statement can have.
    package var argumentLimit: Int
    /// Whether a column takes one of several arguments as it is, with no type said.
    package var takesUntypedChoices: Bool

    // MARK: Comparisons

    /// Stands between values that are equal, nil too.
    package var isSame: SQL
    /// Stands between values that are not equal, where nil is equal to nil only.
    package var isNotSame: SQL
    /// A condition that always holds.
    package var always: SQL
    /// A condition that never holds.
    package var never: SQL
    /// Whether a property of type `Bool` is true.
    package var isTrue: @Sendable (SQL) -> SQL
    /// What stands behind a value in an order; nil comes first, descending last, where nothing is said.
    package var ordering: @Sendable (_ isDescending: Bool, _ hasNilLast: Bool?) -> SQL
    /// A text that is compared and ordered without regard to small and capital letters.
    package var ignoringCase: @Sendable (SQL) -> SQL
    /// What holds of all texts in a column that are a folded text but for case, or begin with it, and of few others, in
    /// terms that an index has; nil where the folded column can have one itself.
    package var caseRange: (@Sendable (_ column: SQL, _ folded: SQL, _ isPrefix: Bool) -> SQL)?
    /// What an index has of a column whose texts are looked for without regard to case.
    package var caselessKey: @Sendable (_ column: SQL) -> SQL
    /// A decimal number, a column or the text of its digits, as it is compared and ordered.
    package var decimalOrder: @Sendable (SQL) -> SQL
    /// The text of the decimal number whose smallest parts a column of whole numbers counts, given their scale.
    package var scaledDecimal: @Sendable (_ number: SQL, _ scale: Int) -> SQL
    /// The limit that is none, where an offset needs one.
    package var noLimit: SQL
    /// What ends an insert whose rows may be there: with no columns to update, these stay as they are.
    package var upsert: @Sendable (_ key: [String], _ updated: [String]) -> SQL

    // MARK: Texts, dates and numbers

    /// Whether a text matches a pattern or has a part.
    package var matches: @Sendable (TextMatch, _ text: SQL, _ pattern: SQL) -> SQL
    /// Whether a text begins so, given the first text that does and the first behind all of these.
    package var hasPrefix: @Sendable (_ text: SQL, _ first: SQL, _ end: SQL) -> SQL
    /// Whether a text ends in some bytes, given their number.
    package var hasSuffix: @Sendable (_ text: SQL, _ bytes: SQL, _ count: SQL) -> SQL
    /// A UUID that is stored as 16 bytes, as a text in lower case.
    package var uuidText: @Sendable (SQL) -> SQL
    /// The decimal number that a column holds, as the text of its digits.
    package var decimalText: @Sendable (SQL) -> SQL
    /// What was made of values, as a column of a type holds it.
    package var stored: @Sendable (SQL, LogicalType) -> SQL
    /// What a function makes of a text.
    package var text: @Sendable (TextFunction, SQL) -> SQL
    /// How many bytes a value has.
    package var byteCount: @Sendable (SQL) -> SQL
    /// What stands in a JSON document under some keys, as a column of a type would hold it.
    package var jsonMember: @Sendable (_ document: SQL, _ keys: [SQLLiteral], ColumnType) -> SQL
    /// How many elements a list in a JSON document has; NULL where there is none.
    package var jsonCount: @Sendable (JSONListText) -> SQL
    /// Whether a list in a JSON document has an element, which is JSON too; false where there is no list.
    package var jsonContains: @Sendable (JSONListText, _ element: SQL) -> SQL
    /// A part of a date that is stored as seconds since 2001, in a time zone; NULL before the year 0 and after the year
    /// 9999, whichever the engine.
    package var datePart: @Sendable (DatePart, SQL, DateZone) -> SQL
    /// A date as text, or as a Julian day number, as whole seconds since 2001.
    package var secondsOfDate: @Sendable (SQL) -> SQL
    /// What is divided by, so that it is nil where it is 0: what is divided by 0 is nil.
    package var divisor: @Sendable (SQL) -> SQL
    /// The sum as a floating-point number, 0 of nothing.
    package var total: @Sendable (SQL) -> SQL
    /// A sum of whole numbers, as a whole number.
    package var wholeSum: @Sendable (SQL) -> SQL

    /// Whether a function, called with so many values, makes one value of many rows.
    package var isAggregate: @Sendable (_ name: String, _ argumentCount: Int) -> Bool

    // MARK: Other statements

    /// Asks how a statement would be run.
    package var explanation: @Sendable (SQL) -> SQL
    /// The index of words in texts.
    package var search: SearchDialect
}

/// How the elements of a list stand in its argument.
package enum ListEncoding: Sendable {
    /// As they are.
    case plain
    /// Tagged: see `ListArgument`.
    case tagged
}

/// A list in a JSON document: under some keys an array, or an object whose values it has.
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

/// What a text is looked at for.
package enum TextMatch: Sendable {
    /// The wildcards `*`, `?` and `[…]`.
    case glob
    case regularExpression
    /// Another text.
    case contains
}

/// What is made of a text.
package enum TextFunction: Sendable {
    case lowercased, uppercased
    /// The form in which texts are compared without regard to small and capital letters.
    case folded
    /// Without the accents on its letters.
    case unaccented
    /// How many characters, as Swift counts them, it has.
    case characterCount
}

/// The time zone in which a date has its parts.
package enum DateZone: Hashable, Sendable {
    /// So many seconds east of universal time, always.
    case offset(Int)
    /// One of the time zone database, by its name there.
    case named(SQLLiteral)
}

/// A part of a date.
package enum DatePart: String, Sendable {
    case year, month, day, hour, minute, second
    /// From 1 for Sunday, as in Foundation's calendars.
    case weekday
    case dayOfYear
}
