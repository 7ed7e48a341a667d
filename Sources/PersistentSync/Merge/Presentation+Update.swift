// What changes if some objects change and all other objects are shown as before.
extension Presentation {
    /// Shows changed objects, whose earlier states are known; false if other objects may be shown differently as a
    /// result. Nothing changes then, and the presentation must be determined again.
    ///
    /// - Parameter states: The objects in the groups of the device that changed; nil for one that is not there.
    package mutating func update(
        _ states: [ObjectKey: (before: ObjectState?, now: ObjectState?)], classes: [Text: ClassShape]
    ) -> Bool {
        var changed: [(key: ObjectKey, object: ObjectState, shape: ClassShape)] = []
        var gained: Set<ObjectKey> = []
        for (key, (before, now)) in states {
            guard waiting[key] == nil else { return false }
            let isShown = rows[key] != nil
            guard let now, now.isAlive else {
                if isShown { return false }
                continue
            }
            guard let shape = classes[key.type], isShown || !hidden.contains(key), !shape.isIncomplete(now),
                shape.claims(now, insteadOf: isShown ? before : nil)
            else { return false }
            if !isShown { gained.insert(key) }
            changed.append((key, now, shape))
        }
        let (shown, new) = (rows, gained)
        let isShown = { (key: ObjectKey) in shown[key] != nil || new.contains(key) }
        for (_, object, shape) in changed where !shape.required.compactMap(object.target(of:)).allSatisfy(isShown) {
            return false
        }
        for (key, object, shape) in changed {
            var held: [Text: ObjectKey] = [:]
            for (name, reason) in waitingValues[key] ?? [:] {
                if case .held(let holder) = reason { held[name] = holder }
            }
            show(ShownRow(of: object, shape, held: held, isShown: isShown), of: key)
        }
        return true
    }
}

extension ClassShape {
    /// Whether a property that must have a value has none.
    func isIncomplete(_ object: ObjectState) -> Bool {
        necessary.contains { (object.value(of: $0) ?? .null) == .null }
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
