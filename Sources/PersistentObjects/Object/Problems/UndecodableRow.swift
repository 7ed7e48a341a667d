public import StoreEngine

/// A row that was left out, since its values cannot be read. See ``Query/skippingUndecodable(_:)``.
public struct UndecodableRow: Sendable, CustomStringConvertible {
    /// The class whose objects were asked for.
    public let className: String
    /// The id of the row.
    public let rowID: Int64
    /// The property whose value cannot be read; nil where it is not one of the row's own.
    public let property: String?
    /// What is wrong, without the value.
    public let reason: String
    /// The error that reading the row throws: it may name another row, which this one refers to.
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

    /// One line: class, property, row, and what is wrong.
    public var description: String { "\(className)\(property.map { ".\($0)" } ?? "") #\(rowID): \(reason)" }
}

extension StoreError {
    /// Whether it is about what a row holds, so that other rows can be read all the same.
    var isAboutRow: Bool {
        switch code {
        case .typeMismatch, .unknownClass, .brokenReference, .tooBig: true
        default: false
        }
    }
}
