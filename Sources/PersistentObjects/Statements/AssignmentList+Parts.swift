internal import StoreEngine

/// The fields of embedded values that an update's closure sets.
///
/// `$0.address.city = "Wien"` reads the whole value, changes a field and sets the whole value. The changed field is
/// found by experiment: each field of the read value has a sample, and the closure runs twice, with different samples.
/// A field that kept both samples was not set. A field with the same new value in both runs was set to that value. Any
/// other field was edited in place.
struct AssignedParts {
    let round: Int
    /// The value that was read and not set yet, and the name of its property.
    fileprivate var open: (name: String, value: ValueMemory)?
    /// The values of fields that lost their samples, by property index.
    fileprivate var values: [Int: DatabaseValue] = [:]
    /// Whether the closure must run again to determine which fields it sets.
    fileprivate(set) var needsSecondRun = false

    init(round: Int) { self.round = round }
}

extension AssignmentList {
    /// The value that the closure reads for an embedded property; nil for other properties.
    func sampleValue<V>(of path: AnyKeyPath) -> V? {
        guard let index = KeyPathResolver.embedded(path, in: map) else { return nil }
        let (whole, ordinals) = (map.embedded[index].whole, map.embedded[index].ordinals)
        guard whole.codec.valueType == V.self else { return nil }
        guard map.embedded[index].presenceFlag == nil else {
            fail(
                QueryError.notExpressible(
                    "\(map.name).\(whole.name) can be nil, so an update cannot set a single field of it. Set the "
                        + "whole value: $0.\(whole.name) = …"))
            return map.scratch.withObject { whole.address(in: $1)[as: V.self] }
        }
        let value = map.scratch.withObject { ValueMemory(copying: whole.address(in: $1), whole.codec) }
        for ordinal in ordinals {
            let (codec, offset) = (map.properties[ordinal].codec, map.properties[ordinal].partOffset)
            guard value.withAddress({ codec.setSample(parts.round, at: $0 + offset) }) else {
                fail(
                    QueryError.notExpressible(
                        "The library cannot create two different values of \(name(ordinal)), so it cannot detect "
                            + "which fields the update sets. Set the whole value: $0.\(whole.name) = …"))
                break
            }
        }
        parts.needsSecondRun = true
        parts.open = (whole.name, value)
        return value.withAddress { $0[as: V.self] }
    }

    /// Sets the fields of an embedded value: the fields that lost their samples, or all fields if the value was not
    /// read.
    func assign<V>(_ embedded: EmbeddedValue, _ value: V) {
        guard embedded.whole.codec.valueType == V.self else {
            return fail(
                QueryError.notExpressible(
                    "\(map.name).\(embedded.whole.name) is an embedded value. Set it to a value, not to an expression"))
        }
        let read = parts.open?.name == embedded.whole.name ? parts.open?.value : nil
        parts.open = nil
        ObjectMemory.withAddress(of: value) { address in
            func assign(unless sample: Address?) {
                for ordinal in embedded.ordinals { self.assign(ordinal, address, unless: sample) }
            }
            if let read { read.withAddress { assign(unless: $0) } } else { assign(unless: nil) }
        }
    }

    private func assign(_ ordinal: Int, _ value: Address, unless sample: Address?) {
        let property = map.properties[ordinal]
        let field = value + property.partOffset
        if let sample, property.codec.isSame(field, sample + property.partOffset) { return }
        guard !property.isReadOnly else {
            return fail(QueryError.notExpressible("\(name(ordinal)) is read-only, because it is declared @ReadOnly"))
        }
        do throws(ValueFault) {
            let stored = try property.codec.encode(field)
            if sample != nil { parts.values[ordinal] = stored }
            set(ordinal, QueryExpression(argument: .value(stored)))
        } catch { fail(located(StoreError.value(error), ordinal)) }
    }

    /// Merges the assignments of the second run of the closure, which had different samples.
    func join(_ other: AssignmentList) {
        if let problem = other.problem { fail(problem) }
        for (ordinal, value) in other.parts.values.sortedUnspecialized(by: { $0.key < $1.key }) {
            guard let first = parts.values[ordinal] else {
                set(ordinal, QueryExpression(argument: .value(value)))
                continue
            }
            guard first != value else { continue }
            fail(
                QueryError.notExpressible(
                    "The update edits \(name(ordinal)) in place, or sets it to a value that differs between calls, "
                        + "but the current values are only in the file. Assign a value that was created before "
                        + "the update"))
        }
    }
}

extension PropertyCodec {
    /// Stores one of two different values in a field; false if the library cannot create two.
    fileprivate func setSample(_ round: Int, at field: Address) -> Bool {
        // The type has a single value, so the field cannot change.
        if facts.size == 0 { return true }
        let samples = ValueMemory(copying: field, self).samples()
        guard !samples.isEmpty else { return false }
        samples[round].assign(to: field)
        return true
    }
}
