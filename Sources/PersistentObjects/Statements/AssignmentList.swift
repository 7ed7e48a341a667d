internal import StoreEngine

/// The assignments that an update's closure made so far.
final class AssignmentList {
    let map: ClassMap
    let scopes = ScopeCounter()
    /// The assigned properties by index, in the order of their first assignments.
    private(set) var entries: [(ordinal: Int, value: QueryExpression)] = []
    /// The assigned collections, with the rows that each object receives.
    private(set) var collections: [CollectionAssignment] = []
    /// The objects that were assigned to references.
    private(set) var targets: [PersistentObject] = []
    /// The first error. The update throws it.
    private(set) var problem: (any Error)?
    /// The embedded values that the closure read and whose fields it set.
    var parts: AssignedParts

    /// - Parameter round: The samples that the closure reads in embedded values: 0, or 1 for its second run.
    init(_ map: ClassMap, round: Int = 0) {
        self.map = map
        parts = AssignedParts(round: round)
    }

    /// Whether nothing was assigned.
    var isEmpty: Bool { entries.isEmpty && collections.isEmpty }

    func fail(_ error: any Error) { problem = problem ?? error }

    private func ordinal(of path: AnyKeyPath) -> Int? {
        do {
            guard case .property(let ordinal) = try KeyPathResolver.subject(of: path, in: map) else { return nil }
            return ordinal
        } catch {
            fail(error)
            return nil
        }
    }

    /// The property as the closure reads it. Earlier assignments have already changed it.
    func value(of path: AnyKeyPath) -> QueryExpression {
        if let ordinal = ordinal(of: path), let entry = entries.first(where: { $0.ordinal == ordinal }) {
            // A path through a reference would read the stored reference.
            if case .reference = map.properties[ordinal].shape {
                fail(QueryError.notExpressible("\(name(ordinal)) is read after it was set. Read it before setting it"))
            }
            // The value was encoded for this column, but another column may need another form.
            if entry.value.words == [.argument], map.properties[ordinal].codec.recodesArguments {
                fail(
                    QueryError.notExpressible(
                        "\(name(ordinal)) is read after it was set to a value. Use the value, or read the property "
                            + "before setting it"))
            }
            return entry.value
        }
        if !collections.isEmpty, let ordinal = ordinal(of: path), collections.contains(where: { $0.ordinal == ordinal })
        {
            fail(QueryError.notExpressible("\(name(ordinal)) is read after it was set. Read it before setting it"))
        }
        return QueryExpression(.column(scope: 0, QueryPath(path)))
    }

    /// Fails because the closure reads a value, which is only in the file.
    func refuseReading(_ path: AnyKeyPath) {
        guard let ordinal = ordinal(of: path) else { return }
        fail(
            QueryError.notExpressible(
                "The update reads the value of \(name(ordinal)) or edits it in place, but the values are only in "
                    + "the file. Nothing was changed. Assign a value or an expression of properties, with a "
                    + "default value if the expression can be nil, as divisions and remainders can: $0.n = "
                    + "$0.\(map.properties[ordinal].name) % 3 ?? 0"))
    }

    func name(_ ordinal: Int) -> String { "\(map.name).\(map.properties[ordinal].name)" }

    /// The index of a property that can be assigned: to a value if `toValue` is true, otherwise to an expression.
    private func target(_ path: AnyKeyPath, toValue: Bool = false) -> Int? {
        guard let ordinal = ordinal(of: path) else { return nil }
        let property = map.properties[ordinal]
        let reason: String
        switch property.shape {
        case .scalar where property.isReadOnly, .reference where property.isReadOnly:
            reason = "is read-only, because it is declared @ReadOnly"
        case .scalar where property.sealing != nil:
            reason = "is encrypted, which an update in the file cannot do. Set it in the objects, and save them"
        case .scalar where property.isKey: reason = "is the key, which identifies a single object"
        case .scalar, .reference: return ordinal
        case .collection:
            guard let refusal = collectionRefusal(property, toValue: toValue) else { return ordinal }
            reason = refusal
        case .inverse:
            let other = (try? InverseSide.of(property, in: map)).map { side in
                "\(side.other.name).\(side.other.properties[side.ordinal].name)"
            }
            reason = "is an inverse. Set the other side\(other.map { ", \($0), in an update of its objects" } ?? "")"
        }
        fail(QueryError.notExpressible("\(name(ordinal)) \(reason)"))
        return nil
    }

    /// The reason why a collection cannot be set; nil if it can.
    private func collectionRefusal(_ property: Property, toValue: Bool) -> String? {
        guard let child = ChildTable(property, of: map), map.foreign == nil else {
            return "is a collection in an existing table. Change it in the objects"
        }
        guard child.target == nil else {
            return
                "is a collection of objects, which an update cannot set. Set it in the objects: for object in try "
                + "query.all() { object.\(property.name) = …; try object.save() }"
        }
        return toValue ? nil : "is a collection, which can be set only to a value of its type, not to an SQL expression"
    }

    func set(_ ordinal: Int, _ value: QueryExpression) {
        if let index = entries.firstIndex(where: { $0.ordinal == ordinal }) {
            entries[index].value = value
        } else {
            entries.append((ordinal, value))
        }
        if let problem = value.problem { fail(located(problem, ordinal)) }
    }

    /// Sets the modification date and counts up the version, if the class has them and the closure did not set them.
    func stamp(_ now: Double) throws {
        guard !isEmpty else { return }
        if let updated = map.timestamps?.updated, !sets(updated.ordinal) {
            set(updated.ordinal, QueryExpression(argument: .value(.real(now))))
        }
        if let version = try map.versionOrdinal(), !sets(version) {
            let column = QueryExpression(.column(scope: 0, QueryPath(.ordinal(version))))
            set(version, column.applying(.add, QueryExpression(argument: .value(.integer(1)))))
        }
    }

    private func sets(_ ordinal: Int) -> Bool { entries.contains { $0.ordinal == ordinal } }

    func assign(_ path: AnyKeyPath, _ value: QueryExpression) {
        if let ordinal = target(path) { set(ordinal, value) }
    }

    func assign(_ path: AnyKeyPath, _ condition: Condition) {
        guard let ordinal = target(path) else { return }
        // If the condition is an optional property and the assigned property is optional too, nil stays nil.
        if let value = condition.expression.dropping(.isTrue), map.properties[ordinal].codec.acceptsNull {
            return set(ordinal, value)
        }
        set(ordinal, condition.expression.applying(.coalesce, QueryExpression(value: false)))
    }

    func assign<V>(_ path: AnyKeyPath, value: V) {
        if let index = KeyPathResolver.embedded(path, in: map) { return assign(map.embedded[index], value) }
        guard let ordinal = target(path, toValue: true) else { return }
        let codec = map.properties[ordinal].codec
        if let collection = codec as? CollectionCodec { return setCollection(ordinal, collection, value) }
        if case .reference = map.properties[ordinal].shape {
            return setReference(ordinal, value as Any as? PersistentObject)
        }
        guard codec.valueType == V.self else { return set(ordinal, QueryExpression(value: value)) }
        do {
            let encoded = try ObjectMemory.withAddress(of: value) { address in
                do throws(ValueFault) { return try codec.encode(address) } catch { throw StoreError.value(error) }
            }
            set(ordinal, QueryExpression(argument: .value(encoded)))
        } catch { fail(located(error, ordinal)) }
    }

    private func setCollection<V>(_ ordinal: Int, _ codec: CollectionCodec, _ value: V) {
        guard codec.valueType == V.self else {
            return fail(
                QueryError.notExpressible(
                    "\(name(ordinal)) has the type \(TypeSpelling.of(codec.valueType)), but the assigned value has "
                        + "the type \(TypeSpelling.of(V.self)). Assign a value of the property's type"))
        }
        do {
            let assignment = try ObjectMemory.withAddress(of: value) { address in
                do { return try CollectionAssignment(ordinal, codec, address) } catch let fault as ValueFault {
                    throw StoreError.value(fault)
                }
            }
            collections.removeAll { $0.ordinal == ordinal }
            collections.append(assignment)
            // The column of an optional collection states whether it is nil.
            if map.properties[ordinal].hasColumn {
                let isNil = ObjectMemory.withAddress(of: value) { codec.isNil($0) }
                set(ordinal, QueryExpression(argument: .value(isNil ? .null : .integer(1))))
            }
        } catch { fail(located(error, ordinal)) }
    }

    private func setReference(_ ordinal: Int, _ object: PersistentObject?) {
        guard let object else { return set(ordinal, QueryExpression(argument: .value(.null))) }
        switch object.lifecycle {
        case .new:
            fail(
                located(
                    StoreError(.misuse, "The assigned \(type(of: object)) was never saved. Save it first"), ordinal))
        case .deleted:
            fail(
                located(
                    StoreError(
                        .objectIsDeleted,
                        "The assigned \(type(of: object)) #\(object.rowID) was deleted. Assign another object or nil"),
                    ordinal))
        default:
            targets.append(object)
            set(ordinal, QueryExpression(argument: .value(.integer(object.rowID))))
        }
    }

    func located(_ error: any Error, _ ordinal: Int) -> any Error {
        (error as? StoreError)?.at(className: map.name, property: map.properties[ordinal].name) ?? error
    }
}
