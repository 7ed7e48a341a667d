internal import StoreEngine

/// A row returned by raw SQL: values by the names and positions of the columns.
///
/// Rows are plain values, `Sendable` and comparable; no objects are created.
///
/// ```swift
/// for row in try session.rows("SELECT last_name, count(*) AS n FROM person GROUP BY last_name") {
///     let name: String = try row.value("last_name")
///     print(name, row["n"] ?? .null)
/// }
/// ```
public struct Row: Sendable {
    private let columns: Columns
    /// The values, in the order of the columns.
    public let values: [DatabaseValue]

    /// The column names, shared by all rows of one statement.
    final class Columns: Sendable {
        let names: [String]
        let sql: String
        private let places: [String: Int]
        private let foldedPlaces: [String: Int]

        init(_ names: [String], sql: String) {
            self.names = names
            self.sql = sql
            places = Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
            foldedPlaces = Dictionary(
                names.enumerated().map { (Naming.folded($1), $0) }, uniquingKeysWith: { first, _ in first })
        }

        /// As in SQL, the case of ASCII letters is ignored, unless two columns differ only in case.
        func place(of name: String) -> Int? { places[name] ?? foldedPlaces[Naming.folded(name)] }
    }

    init(_ columns: Columns, _ values: [DatabaseValue]) {
        self.columns = columns
        self.values = values
    }

    /// The names of the columns, in order; two columns may have the same name.
    public var columnNames: [String] { columns.names }

    /// The number of columns.
    public var count: Int { values.count }

    /// The value of the first column with a name, or nil if there is none. SQL NULL is `.null`.
    public subscript(_ name: String) -> DatabaseValue? { columns.place(of: name).map { values[$0] } }

    /// The value of a column by its position, from 0, or nil if there is none.
    public subscript(_ place: Int) -> DatabaseValue? { values.indices.contains(place) ? values[place] : nil }

    /// The values by name; of columns with the same name, the first one's value.
    public var dictionary: [String: DatabaseValue] {
        Dictionary(zip(columns.names, values), uniquingKeysWith: { first, _ in first })
    }
}

// Values as Swift's types.
extension Row {
    /// Returns the value of the first column with a name, as a type that a property can have.
    ///
    /// The rules are those of properties: the conversion is exact, or it throws. NULL is `nil` for an optional, and an
    /// error for any other type. A `PersistentID` is created from a row's id; `DatabaseValue` accepts any value.
    ///
    /// ```swift
    /// let name: String = try row.value("name")
    /// let age = try row.value("age", as: Int?.self)
    /// ```
    ///
    /// - Throws: `StoreError` with the code `noSuchProperty` if there is no such column, `typeMismatch` if it does not
    ///   contain a value of the type, `misuse` for a type that no column can store.
    public func value<T>(_ name: String, as type: T.Type = T.self) throws -> T {
        guard let place = columns.place(of: name) else {
            throw StoreError(.noSuchProperty, "The row has no column \(name)\(advice(for: name))", sql: columns.sql)
        }
        return try value(at: place)
    }

    /// Returns the value of a column by its position, from 0, as a property type. See `value(_:as:)`.
    public func value<T>(_ place: Int, as type: T.Type = T.self) throws -> T {
        guard values.indices.contains(place) else {
            throw StoreError(
                .noSuchProperty, "The row has no column at index \(place), because it has \(values.count) columns",
                sql: columns.sql)
        }
        return try value(at: place)
    }

    private func value<T>(at place: Int) throws -> T {
        let value = values[place]
        do throws(ValueFault) {
            if let known: T = try RowValue.read(value) { return known }
        } catch {
            var error = StoreError.value(error)
            let name = columns.names[place]
            error.message = "Column \(name.isEmpty ? "\(place)" : name): \(error.message)"
            if value == .null { error.message += ". Use an optional type if the value can be missing" }
            throw error.at(sql: columns.sql)
        }
        throw StoreError(
            .misuse, "A column cannot be read as \(TypeSpelling.of(T.self)): \(RowValue.refusal(of: T.self))")
    }

    private func advice(for name: String) -> String {
        guard !columns.names.isEmpty else { return "" }
        if let near = NameSuggestions(columns.names).nearest(to: name)?.names {
            return "; did you mean \(near.joined(separator: " or "))?"
        }
        return ". It has \(columns.names.prefix(8).joined(separator: ", "))\(columns.names.count > 8 ? ", …" : "")"
    }
}

extension Row: Hashable {
    /// Returns whether two rows have equal names and values, in the same order.
    public static func == (a: Row, b: Row) -> Bool {
        (a.columns === b.columns || a.columns.names == b.columns.names) && a.values == b.values
    }

    /// Hashes the values.
    public func hash(into hasher: inout Hasher) { hasher.combine(values) }
}

extension Row: CustomStringConvertible {
    /// The names and values: `[name: "Smith", age: 39, photo: 3 bytes]`.
    public var description: String {
        let entries = zip(columns.names, values).map { name, value in
            switch value {
            case .null: "\(name): NULL"
            case .integer(let number): "\(name): \(number)"
            case .real(let number): "\(name): \(number)"
            case .text(let text): "\(name): \(VisibleText.quoted(text))"
            case .blob(let bytes): "\(name): \(bytes.count) bytes"
            }
        }
        return "[\(entries.joined(separator: ", "))]"
    }
}
