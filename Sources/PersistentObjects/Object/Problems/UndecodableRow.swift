public import StoreEngine

/// A row that a query skipped because its values cannot be read.
///
/// See ``Query/skippingUndecodable(_:)``.
public struct UndecodableRow: Sendable, CustomStringConvertible {
    /// The queried class.
    public let className: String
    /// The id of the row.
    public let rowID: Int64
    /// The property whose value cannot be read; nil if it is not a property of this row.
    public let property: String?
    /// The problem, without the value.
    public let reason: String
    /// The error that reading the row throws.
    ///
    /// It may name another row, which this row refers to.
    public let error: StoreError

    init(className: String, rowID: Int64, error: StoreError) {
        self.className = className
        self.rowID = rowID
        self.error = error
        let isItsOwn = error.rowID == rowID
        property = isItsOwn ? error.property : nil
        var plain = error
        plain.sql = nil
        if isItsOwn { (plain.className, plain.property, plain.rowID) = (nil, nil, nil) }
        reason = plain.description
    }

    /// One line with the class, property, row and problem.
    public var description: String { "\(className)\(property.map { ".\($0)" } ?? "") #\(rowID): \(reason)" }
}

extension StoreError {
    /// Whether the error concerns the contents of a row, so that other rows can still be read.
    var isAboutRow: Bool {
        switch code {
        case .typeMismatch, .unknownClass, .brokenReference, .tooBig: true
        default: false
        }
    }
}
