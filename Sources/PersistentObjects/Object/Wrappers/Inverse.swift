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
/// It is read at its first access, with one query for all objects of one fetch,
/// ordered by id, or as `order: .by(\.name)` says; an object that an edit or
/// another session brings in later comes where that order has it, and the rest
/// stays where it is until it is read again. It can be set, appended to and removed from: the other side
/// is set when the object is saved. `Set<Pet>` has no order, and `Pet?` is for one to one.
/// Both sides agree after a save and after a fetch. The session keeps the objects
/// while they are read or edited, and lets go of them some calls later: the next
/// access looks them up again. `onDelete` is what `@OnDelete`
/// says; with another wrapper before it write the initial value out:
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

    /// The other side of a reference.
    public init<Other: Persistent, Owner: Persistent>(
        wrappedValue: [Other] = [], _ path: KeyPath<Other, Owner?>, order: InverseOrder<Other>? = nil,
        onDelete rule: DeleteRule = .nullify
    ) where Value == [Other] {
        self.init(wrappedValue, path, rule, InverseTraits(order?.steps))
    }

    /// The other side of an array of references.
    public init<Other: Persistent, Owner: Persistent>(
        wrappedValue: [Other] = [], _ path: KeyPath<Other, [Owner]>, order: InverseOrder<Other>? = nil,
        onDelete rule: DeleteRule = .nullify
    ) where Value == [Other] {
        self.init(wrappedValue, path, rule, InverseTraits(order?.steps))
    }

    /// The other side of a set of references.
    public init<Other: Persistent, Owner: Persistent>(
        wrappedValue: [Other] = [], _ path: KeyPath<Other, Set<Owner>>, order: InverseOrder<Other>? = nil,
        onDelete rule: DeleteRule = .nullify
    ) where Value == [Other] {
        self.init(wrappedValue, path, rule, InverseTraits(order?.steps))
    }

    /// The other side of a reference, as a set.
    public init<Other: Persistent, Owner: Persistent>(
        wrappedValue: Set<Other> = [], _ path: KeyPath<Other, Owner?>, onDelete rule: DeleteRule = .nullify
    ) where Value == Set<Other> {
        self.init(wrappedValue, path, rule)
    }

    /// The other side of an array of references, as a set.
    public init<Other: Persistent, Owner: Persistent>(
        wrappedValue: Set<Other> = [], _ path: KeyPath<Other, [Owner]>, onDelete rule: DeleteRule = .nullify
    ) where Value == Set<Other> {
        self.init(wrappedValue, path, rule)
    }

    /// The other side of a set of references, as a set.
    public init<Other: Persistent, Owner: Persistent>(
        wrappedValue: Set<Other> = [], _ path: KeyPath<Other, Set<Owner>>, onDelete rule: DeleteRule = .nullify
    ) where Value == Set<Other> {
        self.init(wrappedValue, path, rule)
    }

    /// The other side of a reference, one to one.
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

    /// `$pets`: whether it is loaded, and loading with errors.
    public var projectedValue: Inverse<Value> { self }

    /// Whether the objects are in memory; false again some calls after the last access.
    public var isLoaded: Bool { !box.state.isAway }

    /// Why the last access could not load the objects; nil if it could.
    public var problem: (any Error)? { box.problem }

    /// The objects, loaded if they were not.
    ///
    /// - Throws: `StoreError` if they cannot be loaded.
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
