internal import StoreEngine

/// What the closure of an update has assigned so far.
final class AssignmentList {
    let map: ClassMap
    let scopes = ScopeCounter()
    /// By the place of the property, in the order of the first assignments.
    private(set) var entries: [(place: Int, value: QueryExpression)] = []
    /// Objects that references were set to.
    private(set) var targets: [PersistentObject] = []
    /// The first thing that went wrong; the update throws it.
    private(set) var problem: (any Error)?
    /// What the closure has found in embedded values, and set in them.
    var parts: AssignedParts

    /// - Parameter round: Which values the closure finds in embedded ones: 0, and 1 when it is run again.
    init(_ map: ClassMap, round: Int = 0) {
        self.map = map
        parts = AssignedParts(round: round)
    }

    func fail(_ error: any Error) { problem = problem ?? error }

    private func place(of path: AnyKeyPath) -> Int? {
        do {
            guard case .property(let place) = try KeyPathResolver.subject(of: path, in: map) else { return nil }
            return place
        } catch {
            fail(error)
            return nil
        }
    }

    /// The property as the closure sees it: assignments above have changed it already.
    func value(of path: AnyKeyPath) -> QueryExpression {
        if let place = place(of: path), let entry = entries.first(where: { $0.place == place }) {
            // The path of a term leads through what is stored.
            if case .reference = map.properties[place].shape {
                fail(QueryError.notExpressible("\(name(place)) is read after it was set; read it before"))
            }
            return entry.value
        }
        return QueryExpression(.column(scope: 0, QueryPath(path)))
    }

    /// A value is wanted where there is none.
    func refuseReading(_ path: AnyKeyPath) {
        guard let place = place(of: path) else { return }
        fail(
            QueryError.notExpressible(
                "the update reads the value of \(name(place)) or edits it in place, but values are in the file; "
                    + "assign a value, or what + and the like make of properties"))
    }

    func name(_ place: Int) -> String { "\(map.name).\(map.properties[place].name)" }

    /// The place of a property that can be set.
    private func target(_ path: AnyKeyPath) -> Int? {
        guard let place = place(of: path) else { return nil }
        let property = map.properties[place]
        let reason: String
        switch property.shape {
        case .scalar where property.isReadOnly, .reference where property.isReadOnly:
            reason = "is read-only, as @ReadOnly says"
        case .scalar where property.isKey: reason = "is the key, which names one object"
        case .scalar, .reference: return place
        case .collection: reason = "is a collection, which has rows of its own; change it in the objects"
        case .inverse: reason = "is an inverse; set the other side"
        }
        fail(QueryError.notExpressible("\(name(place)) \(reason)"))
        return nil
    }

    func set(_ place: Int, _ value: QueryExpression) {
        if let index = entries.firstIndex(where: { $0.place == place }) {
            entries[index].value = value
        } else {
            entries.append((place, value))
        }
        if let problem = value.problem { fail(located(problem, place)) }
    }

    /// Sets the date of the last change, where the class has one that the store keeps and the closure has not set it.
    func stamp(_ now: Double) {
        guard let updated = map.timestamps?.updated, !entries.contains(where: { $0.place == updated.place }) else {
            return
        }
        set(updated.place, QueryExpression(argument: .value(.real(now))))
    }

    func assign(_ path: AnyKeyPath, _ value: QueryExpression) {
        if let place = target(path) { set(place, value) }
    }

    func assign(_ path: AnyKeyPath, _ condition: Condition) {
        guard let place = target(path) else { return }
        // A property that is nil stays nil where the other one can be.
        if let value = condition.expression.dropping(.isTrue), map.properties[place].codec.acceptsNull {
            return set(place, value)
        }
        set(place, condition.expression.applying(.coalesce, QueryExpression(value: false)))
    }

    func assign<V>(_ path: AnyKeyPath, value: V) {
        if let index = KeyPathResolver.embedded(path, in: map) { return assign(map.embedded[index], value) }
        guard let place = target(path) else { return }
        let codec = map.properties[place].codec
        if case .reference = map.properties[place].shape {
            return setReference(place, value as Any as? PersistentObject)
        }
        guard codec.valueType == V.self else { return set(place, QueryExpression(value: value)) }
        do {
            let encoded = try ObjectMemory.withAddress(of: value) { address in
                do throws(ValueFault) { return try codec.encode(address) } catch { throw StoreError.value(error) }
            }
            set(place, QueryExpression(argument: .value(encoded)))
        } catch { fail(located(error, place)) }
    }

    private func setReference(_ place: Int, _ object: PersistentObject?) {
        guard let object else { return set(place, QueryExpression(argument: .value(.null))) }
        switch object.lifecycle {
        case .new:
            fail(
                located(
                    StoreError(.misuse, "the \(type(of: object)) to refer to was never saved; save it first"), place))
        case .deleted:
            fail(
                located(
                    StoreError(
                        .objectIsDeleted, "the \(type(of: object)) #\(object.rowID) to refer to was deleted"), place))
        default:
            targets.append(object)
            set(place, QueryExpression(argument: .value(.integer(object.rowID))))
        }
    }

    func located(_ error: any Error, _ place: Int) -> any Error {
        (error as? StoreError)?.at(className: map.name, property: map.properties[place].name) ?? error
    }
}
