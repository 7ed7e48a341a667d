internal import StoreEngine

/// What the closure of an update has done with embedded values.
///
/// `$0.address.city = "Wien"` reads the whole value, changes a field of it and
/// sets the whole. Which field that was is found by trying: the value that is
/// read has a sample in each field, and the closure is run twice, with other
/// samples. A field that has kept both was not set; one that has become the same
/// both times was set to that, and any other was edited in place.
struct AssignedParts {
    let round: Int
    /// The value that was read and is not set yet, and whose it is.
    fileprivate var open: (name: String, value: ValueMemory)?
    /// By the places of fields that have lost their samples.
    fileprivate var values: [Int: DatabaseValue] = [:]
    /// Whether the closure has to be run again to know what it sets.
    fileprivate(set) var areToBeTold = false

    init(round: Int) { self.round = round }
}

extension AssignmentList {
    /// What the closure reads where it names an embedded value; nil for other properties.
    func valueToTry<V>(of path: AnyKeyPath) -> V? {
        guard let index = KeyPathResolver.embedded(path, in: map) else { return nil }
        let (whole, places) = (map.embedded[index].whole, map.embedded[index].places)
        guard whole.codec.valueType == V.self else { return nil }
        guard map.embedded[index].sign == nil else {
            fail(
                QueryError.notExpressible(
                    "\(map.name).\(whole.name) can be nil, so an update cannot set a single field of it. Set the "
                        + "whole value: $0.\(whole.name) = …"))
            return map.scratch.withObject { whole.address(in: $1)[as: V.self] }
        }
        let value = map.scratch.withObject { ValueMemory(copying: whole.address(in: $1), whole.codec) }
        for place in places {
            let (codec, offset) = (map.properties[place].codec, map.properties[place].partOffset)
            guard value.withAddress({ codec.setSample(parts.round, at: $0 + offset) }) else {
                fail(
                    QueryError.notExpressible(
                        "The library cannot create two different values of \(name(place)), so it cannot detect "
                            + "which fields the update sets. Set the whole value: $0.\(whole.name) = …"))
                break
            }
        }
        parts.areToBeTold = true
        parts.open = (whole.name, value)
        return value.withAddress { $0[as: V.self] }
    }

    /// Sets the fields of an embedded value: those that have lost their samples, or all where nothing was read.
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
                for place in embedded.places { self.assign(place, address, unless: sample) }
            }
            if let read { read.withAddress { assign(unless: $0) } } else { assign(unless: nil) }
        }
    }

    private func assign(_ place: Int, _ value: Address, unless sample: Address?) {
        let property = map.properties[place]
        let field = value + property.partOffset
        if let sample, property.codec.isSame(field, sample + property.partOffset) { return }
        guard !property.isReadOnly else {
            return fail(QueryError.notExpressible("\(name(place)) is read-only, because it is declared @ReadOnly"))
        }
        do throws(ValueFault) {
            let stored = try property.codec.encode(field)
            if sample != nil { parts.values[place] = stored }
            set(place, QueryExpression(argument: .value(stored)))
        } catch { fail(located(StoreError.value(error), place)) }
    }

    /// Adds what a second run of the closure, with other samples, has set.
    func join(_ other: AssignmentList) {
        if let problem = other.problem { fail(problem) }
        for (place, value) in other.parts.values.sortedUnspecialized(by: { $0.key < $1.key }) {
            guard let first = parts.values[place] else {
                set(place, QueryExpression(argument: .value(value)))
                continue
            }
            guard first != value else { continue }
            fail(
                QueryError.notExpressible(
                    "The update edits \(name(place)) in place, or sets it to a value that differs between calls, "
                        + "but the current values are only in the file. Assign a value that was created before "
                        + "the update"))
        }
    }
}

extension PropertyCodec {
    /// Gives a field one of two values that differ; false where no two are known.
    fileprivate func setSample(_ round: Int, at field: Address) -> Bool {
        // There is only one value, which cannot change.
        if facts.size == 0 { return true }
        let samples = ValueMemory(copying: field, self).samples()
        guard !samples.isEmpty else { return false }
        samples[round].assign(to: field)
        return true
    }
}
