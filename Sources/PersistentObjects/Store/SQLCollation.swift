public import Foundation
internal import StoreEngine

/// An order of texts in Swift, for `COLLATE` in SQL.
///
/// ```swift
/// let localized = SQLCollation("localized") { $0.localizedStandardCompare($1) }
/// let store = try Store("people.sqlite", configuration: .init(collations: [localized]))
/// try store.withSession { _ in
///     let people = try Person.findByCriteria("ORDER BY last_name COLLATE localized")
/// }
/// ```
///
/// It is called on whatever thread uses the session, on several at once where
/// several sessions are in use.
public struct SQLCollation: Sendable {
    let engine: EngineCollation

    /// Describes an order; it is made known to each connection that a store with it in its configuration opens.
    ///
    /// The name has 1 to 255 bytes; the case of ASCII letters does not matter.
    /// Names that begin with `po_`, and `BINARY`, `NOCASE` and `RTRIM`, are
    /// taken. All of it is checked when the store opens.
    ///
    /// - Parameters:
    ///   - name: How SQL calls it.
    ///   - compare: How two texts compare. It must be an order: always the same for the same texts, the opposite when
    ///     they change places, and never in a circle; otherwise results are in no order. Bytes of a text that are not
    ///     UTF-8 come as U+FFFD.
    public init(_ name: String, _ compare: @escaping @Sendable (String, String) -> ComparisonResult) {
        engine = EngineCollation(name) { a, b in
            let result = compare(String(decoding: a, as: UTF8.self), String(decoding: b, as: UTF8.self))
            return Int32(result.rawValue)
        }
    }

    /// How SQL calls it.
    public var name: String { engine.name }
}
