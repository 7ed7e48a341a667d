/// Reads a reference or a collection from its other side.
///
/// ```swift
/// final class Person: PersistentObject {
///     @Inverse(\Pet.owner) var pets: [Pet]
/// }
/// final class Pet: PersistentObject {
///     var owner: Person?
/// }
/// ```
///
/// The inverse is loaded at its first access, with one query for all objects of one fetch, sorted by id or as
/// `order: .by(\.name)` declares. Objects added later, by an edit or another session, are inserted in this order; the
/// other objects keep their position until the inverse is next loaded. You can assign it, append to it and remove from
/// it; the save sets the other side. `Set<Pet>` has no order, and `Pet?` is for one-to-one relations. The two sides are
/// consistent after every save and fetch. The session keeps the objects while they are read or edited, and releases
/// them some calls later; the next access looks them up again. `onDelete` is the rule of `@OnDelete`. With another
/// wrapper before it, write the initial value explicitly:
/// `@OnDelete(.cascade) @Inverse(\Pet.owner) var pets: [Pet] = []`.
@propertyWrapper
public struct Inverse<Value> {
    let box: ValueBox<Value>
    let path: AnyKeyPath
    let rule: DeleteRule
    let traits: InverseTraits?

    init(_ value: Value, _ path: AnyKeyPath, _ rule: DeleteRule, _ traits: InverseTraits? = nil) {
        box = ValueBox(value)
        self.path = path
        self.rule = rule
        self.traits = traits
    }

    /// Creates the inverse of a reference, as an array.
    public init<Other: Persistent, Owner: Persistent>(
        wrappedValue: [Other] = [], _ path: KeyPath<Other, Owner?>, order: InverseOrder<Other>? = nil,
        onDelete rule: DeleteRule = .nullify
    ) where Value == [Other] {
        self.init(wrappedValue, path, rule, (order?.steps).map { InverseTraits($0) })
    }

    /// Creates the inverse of an array of references, as an array.
    public init<Other: Persistent, Owner: Persistent>(
        wrappedValue: [Other] = [], _ path: KeyPath<Other, [Owner]>, order: InverseOrder<Other>? = nil,
        onDelete rule: DeleteRule = .nullify
    ) where Value == [Other] {
        self.init(wrappedValue, path, rule, (order?.steps).map { InverseTraits($0) })
    }

    /// Creates the inverse of a set of references, as an array.
    public init<Other: Persistent, Owner: Persistent>(
        wrappedValue: [Other] = [], _ path: KeyPath<Other, Set<Owner>>, order: InverseOrder<Other>? = nil,
        onDelete rule: DeleteRule = .nullify
    ) where Value == [Other] {
        self.init(wrappedValue, path, rule, (order?.steps).map { InverseTraits($0) })
    }

    /// Creates the inverse of a reference, as a set.
    public init<Other: Persistent, Owner: Persistent>(
        wrappedValue: Set<Other> = [], _ path: KeyPath<Other, Owner?>, onDelete rule: DeleteRule = .nullify
    ) where Value == Set<Other> {
        self.init(wrappedValue, path, rule)
    }

    /// Creates the inverse of an array of references, as a set.
    public init<Other: Persistent, Owner: Persistent>(
        wrappedValue: Set<Other> = [], _ path: KeyPath<Other, [Owner]>, onDelete rule: DeleteRule = .nullify
    ) where Value == Set<Other> {
        self.init(wrappedValue, path, rule)
    }

    /// Creates the inverse of a set of references, as a set.
    public init<Other: Persistent, Owner: Persistent>(
        wrappedValue: Set<Other> = [], _ path: KeyPath<Other, Set<Owner>>, onDelete rule: DeleteRule = .nullify
    ) where Value == Set<Other> {
        self.init(wrappedValue, path, rule)
    }

    /// Creates the inverse of a one-to-one reference.
    public init<Other: Persistent, Owner: Persistent>(
        wrappedValue: Other? = nil, _ path: KeyPath<Other, Owner?>, onDelete rule: DeleteRule = .nullify
    ) where Value == Other? {
        self.init(wrappedValue, path, rule)
    }

    /// The objects on the other side.
    public var wrappedValue: Value {
        get {
            box.wasUsed = true
            return box.currentValue
        }
        nonmutating _modify {
            box.wasUsed = true
            yield &box.currentValue
        }
        nonmutating set { box.currentValue = newValue }
    }

    /// The wrapper itself, as `$pets`: whether it is loaded, and loading with errors.
    public var projectedValue: Inverse<Value> { self }

    /// Whether the objects are in memory; false again some calls after the last access.
    public var isLoaded: Bool { !box.state.isAway }

    /// The error of the last access, if it could not load the objects; otherwise nil.
    public var problem: (any Error)? { box.problem }

    /// Returns the objects, after loading them if necessary.
    ///
    /// - Throws: `StoreError` if they cannot be loaded.
    /// - Complexity: One query for all objects of one fetch, if they are not loaded.
    @discardableResult
    public func load(isolation: isolated (any Actor)? = #isolation) throws -> Value {
        box.wasUsed = true
        return try box.loadedValue()
    }
}

extension Inverse: BoxedWrapper {
    func describe(_ options: inout PropertyOptions) {
        options.inverse = path
        options.inverseOrder = traits?.order ?? []
        options.inverseCondition = traits?.condition?()
        if rule != .nullify { options.deleteRule = rule }
    }
}
