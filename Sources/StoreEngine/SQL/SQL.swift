// SQL: text of statements, in which a name or a value cannot become SQL. It must know no engine.

/// A statement under construction: literal text, identifiers and values are
/// different things, so that a name or a value can never become SQL.
///
/// Text enters as a string literal only (`StaticString`); names enter quoted
/// through `identifier`; values enter as placeholders. Text of the user's own
/// enters through `RawSQL`, the one door for it.
package struct SQL: Sendable, Equatable {
    /// The text, with a `?` for each value.
    package private(set) var text: String

    /// An empty statement.
    package init() { text = "" }

    /// A statement that begins with literal text.
    package init(_ literal: StaticString) { text = literal.description }

    /// Appends literal text.
    package mutating func append(_ literal: StaticString) { text += literal.description }

    /// Appends another piece.
    package mutating func append(_ other: SQL) { text += other.text }

    /// Appends a name, quoted.
    package mutating func append(identifier name: String) { text += SQL.quoted(name) }

    /// Appends `"table"."column"`.
    package mutating func append(column: String, of table: String) {
        text += SQL.quoted(table) + "." + SQL.quoted(column)
    }

    /// Appends a placeholder.
    package mutating func appendPlaceholder() { text += "?" }

    /// Appends the placeholder of an argument, counted from 1: it may stand anywhere, and several times.
    package mutating func append(placeholder number: Int) { text += "?" + String(number) }

    /// Appends a number.
    package mutating func append(number: Int) { text += String(number) }

    /// Appends a declared column type.
    package mutating func append(type: ColumnType) { text += type.rawValue }

    /// Appends a value as a literal, for the few places where SQLite takes no placeholder (DEFAULT).
    package mutating func append(literal: SQLLiteral) { text += literal.text }

    /// Appends the user's own SQL.
    package mutating func append(_ raw: RawSQL) { text += raw.text }

    /// Appends each element, with a separator between them.
    package mutating func append<S: Sequence>(
        _ elements: S, separator: StaticString = ", ", _ body: (inout SQL, S.Element) -> Void
    ) {
        var isFirst = true
        for element in elements {
            if !isFirst { append(separator) }
            isFirst = false
            body(&self, element)
        }
    }

    /// A name in double quotes: the only place where identifiers are quoted.
    private static func quoted(_ name: String) -> String { name.enclosed(in: "\"") }
}

extension String {
    /// The text in quotes, its own quotes doubled. By scalars: a quote with an accent on it is one more `Character`,
    /// and still a quote to SQLite.
    func enclosed(in quote: Unicode.Scalar) -> String {
        var quoted = String.UnicodeScalarView()
        quoted.append(quote)
        for scalar in unicodeScalars {
            if scalar == quote { quoted.append(scalar) }
            quoted.append(scalar)
        }
        quoted.append(quote)
        return String(quoted)
    }
}

/// SQL that the user wrote.
package struct RawSQL: Sendable, Equatable {
    package let text: String
    package init(_ text: String) { self.text = text }
}
