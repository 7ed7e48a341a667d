// What changes if some objects change and all other objects are shown as before.
extension Visibility {
    /// Shows changed objects, whose earlier states are known; false if other objects may be shown differently as a
    /// result. Nothing changes then, and everything must be determined again.
    ///
    /// - Parameter states: The objects in the groups of the device that changed; nil for one that is not there.
    package mutating func update(
        _ states: [ObjectKey: (before: ObjectState?, now: ObjectState?)], classes: [Text: ClassShape]
    ) -> Bool {
        guard let rows = updatedRows(states, classes) else { return false }
        for (key, row) in rows { show(row, of: key) }
        return true
    }

    private func updatedRows(
        _ states: [ObjectKey: (before: ObjectState?, now: ObjectState?)], _ classes: [Text: ClassShape]
    ) -> [(key: ObjectKey, row: ShownRow)]? {
        var changed: [(key: ObjectKey, object: ObjectState, shape: ClassShape)] = []
        var gained: Set<ObjectKey> = []
        for (key, (before, now)) in states {
            guard waiting[key] == nil else { return nil }
            let isShown = shown.contains(key)
            guard let now, now.isAlive else {
                if isShown { return nil }
                continue
            }
            guard let shape = classes[key.type], isShown || !hidden.contains(key), !shape.isIncomplete(now),
                shape.claims(now, insteadOf: isShown ? before : nil)
            else { return nil }
            if !isShown { gained.insert(key) }
            changed.append((key, now, shape))
        }
        let isShown = { (key: ObjectKey) in shown.contains(key) || gained.contains(key) }
        for (_, object, shape) in changed where !shape.required.compactMap(object.target(of:)).allSatisfy(isShown) {
            return nil
        }
        return changed.map { key, object, shape in
            (key, ShownRow(of: object, shape, held: held(by: key), isShown: isShown))
        }
    }
}

extension ClassShape {
    /// Whether a property that must have a value has none.
    func isIncomplete(_ object: ObjectState) -> Bool {
        necessary.contains { (object.scalar($0, .value) ?? .null) == .null }
    }

    /// Whether an object claims the same unique values as an earlier state of it, or none if it was not shown.
    fileprivate func claims(_ object: ObjectState, insteadOf before: ObjectState?) -> Bool {
        unique.allSatisfy { names in
            let isClaimed = { (state: ObjectState?) in names.allSatisfy { (state?.value(of: $0) ?? .null) != .null } }
            if !isClaimed(object), !isClaimed(before) { return true }
            return names.allSatisfy { object.properties[$0] == before?.properties[$0] }
        }
    }
}
