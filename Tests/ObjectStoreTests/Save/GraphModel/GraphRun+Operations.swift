import TestSupport

@testable import PersistentObjects

// The random operations on the model and the objects.
extension GraphRun {
    /// Runs one step, and returns whether to continue in a new session.
    func step(_ session: Session) throws -> Bool {
        switch Int.random(in: 0..<40, using: &random) {
        case 0..<5: create()
        case 5..<20: edit()
        case 20..<24: editInverse()
        case 24..<26: try saveOne(session)
        case 26..<29: try saveEverything(session)
        case 29: try saveChanges(session)
        case 30: try delete(session)
        case 31: try changeParts(session)
        case 32: try changeBadge(session)
        case 33: try changeElsewhere(session)
        case 34: try deleteElsewhere(session); return true
        case 35: revert()
        case 36: copy()
        case 37: try forgetObjects(session)
        default:
            if chance(2) { try saveEverything(session) } else { loseEdits() }
            return true
        }
        return false
    }

    private func create() {
        guard let kind = GraphKind.allCases.randomElement(using: &random) else { return }
        add(kind.make(nextKey), kind)
    }

    private func add(_ object: PersistentObject, _ kind: GraphKind) {
        log.append("create \(kind) \(nextKey)")
        kinds[nextKey] = kind
        objects[nextKey] = object
        memory[nextKey] = Dictionary(uniqueKeysWithValues: kind.fields.map { ($0, $0.initial) })
        nextKey += 1
    }

    /// A random edit of a property that can be edited at any time.
    private func randomEdit(isSaved: Bool) -> (Int, GraphField, GraphEdit)? {
        let keys = memory.keys.filter { !isSaved || file[$0] != nil }.sorted()
        guard let key = keys.randomElement(using: &random), let kind = kinds[key],
            let field = kind.fields.filter({ $0.target != .part && $0 != .badgeOwner || $0 == .part }).randomElement(
                using: &random),
            !isLocked(key, field)
        else { return nil }
        var candidates = field.target.map { self.keys($0) } ?? Array(0..<6)
        if isSaved, field.target != nil { candidates = candidates.filter { file[$0] != nil } }
        let value = candidates.randomElement(using: &random)
        return (key, field, GraphEdit.random(field.kind, field.isOptional, value, &random))
    }

    private func edit() {
        if let (key, field, edit) = randomEdit(isSaved: false) { change(key, field, edit) }
    }

    private func didEdit(_ key: Int, _ field: GraphField, _ edit: GraphEdit) {
        let value = edit.applied(to: memory[key]?[field] ?? field.initial)
        memory[key]?[field] = value
    }

    /// Adds an object to an inverse, or removes it, if the object's reference has no edits.
    private func editInverse() {
        guard let key = pick(.owner), let owner = objects[key] as? Graph.Owner else { return }
        let field: GraphField = chance(2) ? .owner : .members
        guard let other = pick(field == .owner ? .node : .club), !isLocked(other, field),
            memory[other]?[field] == file[other]?[field] ?? field.initial
        else { return }
        let isThere =
            switch memory[other]?[field] {
            case .reference(let target)?: target == key
            case .array(let targets)?: targets?.contains(key) ?? false
            default: false
            }
        // Edits of two owners can concern the same object: it moves from one owner to the other.
        log.append("inverse \(key).\(field) \(isThere ? "-" : "+")\(other)")
        if field == .owner, let node = objects[other] as? Graph.Node {
            if isThere {
                owner.nodes.removeAll { $0 === node }
            } else {
                if case .reference(let old?)? = memory[other]?[.owner], chance(2),
                    let former = objects[old] as? Graph.Owner
                {
                    former.nodes.removeAll { $0 === node }
                    pending.append(Pending(owner: old, field: field, other: other, isAdded: false))
                }
                owner.nodes.append(node)
            }
        } else if let club = objects[other] as? Graph.Club {
            if isThere { owner.clubs.removeAll { $0 === club } } else { owner.clubs.append(club) }
        }
        pending.append(Pending(owner: key, field: field, other: other, isAdded: !isThere))
    }

    // MARK: Saving

    private func didSave(_ session: Session) throws {
        applyPending()
        for (key, object) in objects where !object.isNew && !object.hasChanges { file[key] = memory[key] }
        try check(session)
    }

    private func saveOne(_ session: Session) throws {
        guard let key = memory.keys.sorted().randomElement(using: &random), let object = objects[key] else { return }
        log.append("save \(key)")
        try object.save()
        try expect(!object.isNew && !object.hasChanges, "\(key) has changes after save(): \(object.changes)")
        try didSave(session)
    }

    private func saveChanges(_ session: Session) throws {
        log.append("saveChanges")
        try session.saveChanges()
        for (key, object) in objects where !object.isNew {
            try expect(!object.hasChanges, "\(key) has changes after saveChanges(): \(object.changes)")
        }
        try didSave(session)
    }

    private func saveEverything(_ session: Session) throws {
        log.append("save all")
        try session.save(objects.sorted { $0.key < $1.key }.map(\.value))
        for (key, object) in objects {
            try expect(!object.hasChanges, "\(key) has changes after save(_:): \(object.changes)")
        }
        try didSave(session)
    }

    // MARK: Deleting

    private func delete(_ session: Session) throws {
        try saveEverything(session)
        let keys = memory.keys.sorted().shuffled(using: &random).prefix(chance(3) ? 3 : 1)
        log.append("delete \(keys)")
        let gone = closure(Set(keys))
        let leaving = gone.compactMap { objects[$0] }
        try session.delete(keys.compactMap { objects[$0] })
        for object in leaving { try expect(object.isDeleted, "\(GraphKind.key(of: object)) is not deleted") }
        forget(gone)
        for (key, object) in objects { try expect(!object.hasChanges, "\(key) has changes after a deletion") }
        try check(session)
    }

    /// Edits collections that own their elements: an element that is in none of them is deleted.
    private func changeParts(_ session: Session) throws {
        try saveEverything(session)
        if chance(2) { add(GraphKind.club.make(nextKey), .club) }
        let clubs = keys(.club).shuffled(using: &random).prefix(2)
        let owned = Set(keys(.club).flatMap(parts))
        for key in clubs {
            for field in [GraphField.parts, .spares] where chance(2) {
                change(key, field, GraphEdit.random(.array, false, pick(.part), &random))
            }
        }
        // Moves a part from one collection to another.
        if let from = clubs.first, let to = clubs.last, case .array(let parts?)? = memory[from]?[.parts],
            let part = parts.first
        {
            change(from, .parts, .removeOne(at: 0))
            change(to, chance(2) ? .parts : .spares, .append(part))
        }
        try session.save(clubs.compactMap { objects[$0] })
        for key in clubs { file[key] = memory[key] }
        let left = owned.subtracting(keys(.club).flatMap(parts))
        for key in left { try expect(objects[key]?.isDeleted == true, "orphan \(key) is not deleted") }
        forget(left)
        try didSave(session)
    }

    private func change(_ key: Int, _ field: GraphField, _ edit: GraphEdit) {
        guard let object = objects[key] else { return }
        log.append("edit \(key).\(field) \(edit)")
        field.apply(edit, to: object) { self.objects[$0] }
        didEdit(key, field, edit)
    }

    private func changeBadge(_ session: Session) throws {
        try saveEverything(session)
        guard let key = pick(.owner), let owner = objects[key] as? Graph.Owner else { return }
        let new = chance(4) ? nil : pick(.badge)
        let old = keys(.badge).first { memory[$0]?[.badgeOwner] == .reference(key) }
        log.append("badge \(key) \(new ?? 0)")
        let badge = new.flatMap { objects[$0] as? Graph.Badge }
        // A badge that is removed from the inverse, which owns it, would be deleted.
        if chance(2), old == nil || old == new {
            owner.badge = badge
        } else {
            if let old { (objects[old] as? Graph.Badge)?.owner = nil }
            badge?.owner = owner
        }
        if let old { memory[old]?[.badgeOwner] = .reference(nil) }
        if let new { memory[new]?[.badgeOwner] = .reference(key) }
        try saveEverything(session)
    }

    // MARK: Other sessions

    /// Another session changes properties that have no edits in this session; a fetch reads them.
    private func changeElsewhere(_ session: Session) throws {
        if chance(2) { try saveEverything(session) }
        try session.store.withSession { other in
            for _ in 0..<3 {
                guard let (key, field, edit) = randomEdit(isSaved: true), memory[key]?[field] == file[key]?[field],
                    pending.isEmpty || field != .owner && field != .members
                else { continue }
                log.append("elsewhere \(key).\(field) \(edit)")
                var there: [Int: PersistentObject] = [:]
                for object in try GraphKind.all() { there[GraphKind.key(of: object)] = object }
                guard let object = there[key] else { throw Failure(description: "\(key) is not in the file") }
                field.apply(edit, to: object) { there[$0] }
                try object.save()
                didEdit(key, field, edit)
                file[key]?[field] = memory[key]?[field]
            }
        }
        log.append("fetch")
        for object in try GraphKind.all() {
            try expect(objects[GraphKind.key(of: object)] === object, "a row has two objects")
        }
        try check(session)
    }

    private func deleteElsewhere(_ session: Session) throws {
        try saveEverything(session)
        guard let key = memory.keys.sorted().randomElement(using: &random), let id = objects[key]?.id else { return }
        log.append("delete elsewhere \(key)")
        let type = objects[key].map { Swift.type(of: $0) } ?? Graph.Node.self
        try session.store.withSession { _ in
            switch type {
            case is Graph.Leaf.Type: try Graph.Leaf.find(id)?.delete()
            case is Graph.Node.Type: try Graph.Node.find(id)?.delete()
            case is Graph.Owner.Type: try Graph.Owner.find(id)?.delete()
            case is Graph.Club.Type: try Graph.Club.find(id)?.delete()
            case is Graph.Badge.Type: try Graph.Badge.find(id)?.delete()
            default: try Graph.Part.find(id)?.delete()
            }
        }
        forget(closure([key]))
    }

    // MARK: In memory only

    private func revert() {
        guard let key = file.keys.sorted().randomElement(using: &random), kinds[key] != .owner else { return }
        log.append("revert \(key)")
        objects[key]?.revert()
        memory[key] = file[key]
    }

    private func copy() {
        guard let key = pick(.node), let kind = kinds[key], let node = objects[key] as? Graph.Node else { return }
        log.append("copy \(key)")
        let copy = node.copy()
        copy.key = nextKey
        let record = memory[key]
        add(copy, kind)
        memory[nextKey - 1] = record
    }

    /// Releases all objects (those in rings stay) and fetches them again.
    private func forgetObjects(_ session: Session) throws {
        try saveEverything(session)
        log.append("forget and fetch")
        objects = [:]
        for object in try GraphKind.all() { objects[GraphKind.key(of: object)] = object }
        try check(session)
    }

    /// Resets the model to the file when a session ends without a save.
    private func loseEdits() {
        log.append("lose edits")
        pending = []
        memory = file
        for key in kinds.keys where file[key] == nil { kinds[key] = nil }
    }
}
