public import Foundation
internal import StoreEngine

/// A string order implemented in Swift, for `COLLATE` in SQL.
///
/// ```swift
/// let localized = SQLCollation("localized") { $0.localizedStandardCompare($1) }
/// let store = try Store("people.sqlite", configuration: .init(collations: [localized]))
/// try store.withSession { _ in
///     let people = try Person.findByCriteria("ORDER BY last_name COLLATE localized")
/// }
/// ```
///
/// It is called on the thread that uses the session, and on several threads at once if several sessions are in use.
public struct SQLCollation: Sendable {
    let engine: EngineCollation

    /// Creates a collation, which is registered with each connection of a store configured with it.
    ///
    /// The name has 1 to 255 bytes; the case of ASCII letters does not matter. Names that begin with `po_`, and
    /// `BINARY`, `NOCASE` and `RTRIM`, are reserved. Opening the store checks all of this.
    ///
    /// - Parameters:
    ///   - name: The name in SQL.
    ///   - compare: Compares two strings. It must be a consistent order: always the same result for the same strings,
    ///     the opposite result if they are swapped, and no cycles; otherwise the order of results is undefined. Bytes
    ///     of a string that are not UTF-8 are passed as U+FFFD.
    public init(_ name: String, _ compare: @escaping @Sendable (String, String) -> ComparisonResult) {
        engine = EngineCollation(name) { a, b in
            let result = compare(String(decoding: a, as: UTF8.self), String(decoding: b, as: UTF8.self))
            return Int32(result.rawValue)
        }
    }

    /// The name in SQL.
    public var name: String { engine.name }
}
