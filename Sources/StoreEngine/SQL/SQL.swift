// SQL: the text of statements, in which names and values cannot be interpreted as SQL. It must not know any engine.

/// A statement, or a part of one, as text.
///
/// The program's text enters only as literals, names are quoted, and values are placeholders; so neither a name nor a
/// value can become SQL, and a `String` cannot either, because the compiler offers no conversion. The user's raw SQL
/// enters through `RawSQL`, the only way in.
///
/// ```swift
/// let sql: SQL = "SELECT \(column: "id", of: table) FROM \(name: table) WHERE \(name: column) = ?"
/// ```
package struct SQL: Sendable, Hashable {
    /// The text, with a `?` for each value.
    package private(set) var text: String

    /// Creates an empty piece.
    package init() { text = "" }

    /// Creates a piece from the user's raw SQL.
    package init(_ raw: RawSQL) { text = raw.text }

    /// Whether it is empty.
    package var isEmpty: Bool { text.isEmpty }

    /// Appends another piece.
    package mutating func append(_ other: SQL) { text += other.text }

    /// Concatenates two pieces.
    package static func + (first: SQL, second: SQL) -> SQL {
        var sql = first
        sql.append(second)
        return sql
    }

    /// A name in double quotes: the only place that quotes names.
    private static func quoted(_ name: String) -> String { name.enclosed(in: "\"") }
}

extension SQL: ExpressibleByStringInterpolation {
    // The compiler creates a `StaticString` only from a literal.
    package init(stringLiteral literal: StaticString) { text = literal.description }
    package init(stringInterpolation pieces: StringInterpolation) { text = pieces.text }

    /// The values allowed between the literal parts of a statement.
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        package init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + interpolationCount * 12)
        }

        package mutating func appendLiteral(_ literal: StaticString) { text += literal.description }

        /// Another piece of SQL.
        package mutating func appendInterpolation(_ sql: SQL) { text += sql.text }

        /// The user's raw SQL.
        package mutating func appendInterpolation(raw: RawSQL) { text += raw.text }

        /// A name of a table, a column or the like.
        package mutating func appendInterpolation(name: String) { text += SQL.quoted(name) }

        /// `"table"."column"`.
        package mutating func appendInterpolation(column: String, of table: String) {
            text += SQL.quoted(table) + "." + SQL.quoted(column)
        }

        /// The placeholder of an argument, counted from 1: it may appear anywhere, and repeatedly.
        package mutating func appendInterpolation(placeholder number: Int) { text += "?" + String(number) }

        /// A number.
        package mutating func appendInterpolation(number: Int) { text += String(number) }

        /// A literal value, for the few places that allow no placeholder.
        package mutating func appendInterpolation(literal: SQLLiteral) { text += literal.text }

        /// Pieces with a separator.
        package mutating func appendInterpolation(list: some Sequence<SQL>, separator: SQL = ", ") {
            append(list, separator) { $0.text += $1.text }
        }

        /// Names separated by commas.
        package mutating func appendInterpolation(names: some Sequence<String>) {
            append(names, ", ") { $0.appendInterpolation(name: $1) }
        }

        /// Columns of one table, separated by commas.
        package mutating func appendInterpolation(columns: some Sequence<String>, of table: String) {
            append(columns, ", ") { $0.appendInterpolation(column: $1, of: table) }
        }

        /// A number of placeholders, separated by commas.
        package mutating func appendInterpolation(placeholders count: Int) {
            append(0..<count, ", ") { pieces, _ in pieces.text += "?" }
        }

        private mutating func append<S: Sequence>(
            _ elements: S, _ separator: SQL, _ body: (inout StringInterpolation, S.Element) -> Void
        ) {
            var isFirst = true
            for element in elements {
                if !isFirst { text += separator.text }
                isFirst = false
                body(&self, element)
            }
        }
    }
}

extension String {
    /// The text in quotes, with its own quotes doubled.
    ///
    /// It works on scalars, because a quote with an accent is a different `Character`, but still a quote in SQL.
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
