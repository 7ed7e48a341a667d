/// Declares how sync merges concurrent changes of the property.
///
/// ```swift
/// final class Note: PersistentObject {
///     override class var identity: Identity { .uuid }
///     override class var isSynced: Bool { true }
///     var title = ""
///     @Merged(.counter) var stars = 0
///     @Merged(.max) var lastRead: Date?
/// }
/// ```
///
/// The property is an integer, a `Double`, a `Float`, a `Decimal` or a `Date`. A counter cannot be optional, and a
/// `Decimal` counter needs a scale. Without the wrapper, the last change wins. In classes that are not synced, the
/// wrapper has no effect. Can be combined with the other wrappers.
@propertyWrapper
public struct Merged<Value> {
    /// The property's value.
    public var wrappedValue: Value
    let rule: MergeRule

    /// Wraps a value.
    ///
    /// - Parameters:
    ///   - wrappedValue: The initial value.
    ///   - rule: How concurrent changes are merged.
    public init(wrappedValue: Value, _ rule: MergeRule) {
        self.wrappedValue = wrappedValue
        self.rule = rule
    }

    /// Creates the wrapper with nil.
    ///
    /// - Parameter rule: How concurrent changes are merged.
    public init(_ rule: MergeRule) where Value: ExpressibleByNilLiteral {
        wrappedValue = nil
        self.rule = rule
    }
}

extension Merged: Sendable where Value: Sendable {}

extension Merged: StoredWrapper {
    func describe(_ options: inout PropertyOptions) { options.mergeRule = rule }
}
