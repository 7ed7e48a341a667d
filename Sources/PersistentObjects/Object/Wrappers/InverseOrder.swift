/// The order of the objects of an inverse.
///
/// ```swift
/// final class Album: PersistentObject {
///     @Inverse(\Track.album, order: .by(\.disc).then(\.number)) var tracks: [Track]
/// }
/// ```
///
/// Each property must be stored in a column and not be lazy, or be `\.id`. Nil sorts first, in descending order last.
/// Equal values are sorted by id, and a new object counts as having the largest id.
public struct InverseOrder<Object: Persistent> {
    let steps: [InverseOrderStep]

    /// Sorts by a property.
    public static func by<V: Comparable>(_ property: KeyPath<Object, V>, _ order: Index.Order = .ascending) -> Self {
        Self(steps: []).then(property, order)
    }

    /// Sorts by an optional property.
    public static func by<V: Comparable>(_ property: KeyPath<Object, V?>, _ order: Index.Order = .ascending) -> Self {
        Self(steps: []).then(property, order)
    }

    /// Sorts objects that are equal so far by another property.
    public func then<V: Comparable>(_ property: KeyPath<Object, V>, _ order: Index.Order = .ascending) -> Self {
        Self(steps: steps + [InverseOrderStep(property, V.self, order)])
    }

    /// Sorts objects that are equal so far by another, optional property.
    public func then<V: Comparable>(_ property: KeyPath<Object, V?>, _ order: Index.Order = .ascending) -> Self {
        Self(steps: steps + [InverseOrderStep(property, V.self, order)])
    }
}

/// One property of an order.
struct InverseOrderStep: @unchecked Sendable {  // immutable, and the closure captures only a sign
    let path: AnyKeyPath
    private let order: Index.Order
    /// Less than 0 if the first value sorts first, 0 if they are equal.
    let compare: (Any?, Any?) -> Int

    init<V: Comparable>(_ path: AnyKeyPath, _: V.Type, _ order: Index.Order) {
        (self.path, self.order) = (path, order)
        let sign = order == .ascending ? 1 : -1
        compare = { one, other in
            switch (one as? V, other as? V) {
            case (nil, nil): 0
            case (nil, _): -sign
            case (_, nil): sign
            case (let one?, let other?): one < other ? -sign : other < one ? sign : 0
            }
        }
    }
}

extension InverseOrderStep: Equatable {
    static func == (a: InverseOrderStep, b: InverseOrderStep) -> Bool { a.path == b.path && a.order == b.order }
}
