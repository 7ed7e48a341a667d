// Inverses and lazy weak references release their objects several calls after the last access, and when the session
// ends.
extension Memory {
    /// Releases the objects of links that were not read for a while. No transaction may be in progress, because it may
    /// have to restore the current state.
    ///
    /// - Parameter comparing: Calls its argument, which looks for edits and so can run the user's `encode(to:)`.
    func releaseUnusedLinks(comparing: (() -> Void) throws -> Void) {
        let (batches, departed) = inverses.held.takeAll()
        // Removed objects are released at the end of this method.
        var released: [PersistentObject] = []
        try? comparing {
            // A link can be in several batches, so all batches are inspected before any link is reset.
            for (batch, all, isUsed) in batches.map(seen) { look(after: batch, all, isUsed, &released) }
        }
        for departed in departed {
            guard let owner = departed.owner else { continue }
            let boxes = HeldLink.all(of: owner, departed.map).filter(\.box.isFilled)
            guard owner.lifecycle == .deleted else {
                // The deletion was undone.
                for held in boxes { inverses.didFill(owner, held.ordinal, size: 1) }
                continue
            }
            if boxes.isEmpty { continue }
            let isUsed = boxes.contains { $0.box.wasUsed || $0.box.isBeingEdited }
            for held in boxes {
                if isUsed { held.box.wasUsed = false } else { released += held.empty(leaving: .loaded) }
            }
            if isUsed { inverses.held.addDeparted(owner, departed.map) }
        }
        withExtendedLifetime(released) {}
    }

    /// The links of a batch that hold objects, and whether any link was used, because the links of one fetch are
    /// usually read one after the other.
    private func seen(_ batch: HeldLinks.Batch) -> (HeldLinks.Batch, [HeldLink], isUsed: Bool) {
        let owners = batch.ids.compactMap { batch.identity.object(for: $0) }.filter { $0.keeper === batch.identity }
        let all = owners.compactMap { HeldLink($0, batch.identity.classMap, batch.ordinal) }.filter(\.box.isFilled)
        return (batch, all, all.contains { $0.box.wasUsed })
    }

    private func look(
        after batch: HeldLinks.Batch, _ all: [HeldLink], _ isUsed: Bool, _ released: inout [PersistentObject]
    ) {
        var left: [Int64] = []
        for held in all {
            held.box.wasUsed = false
            if isUsed || held.isNeeded {
                left.append(held.owner.rowID)
            } else {
                released += held.detachObjects()
            }
        }
        inverses.held.record(batch.identity, batch.ordinal, left, size: batch.size)
    }

    /// Empties all links. Called when the session ends or forgets its objects, in the isolation of the objects.
    func releaseLinks() {
        for departed in inverses.held.takeAll().departed {
            guard let owner = departed.owner, owner.lifecycle == .deleted else { continue }
            for held in HeldLink.all(of: owner, departed.map) { _ = held.empty(leaving: .loaded) }
        }
        for identity in classes.allIdentities where !identity.classMap.links.held.isEmpty {
            for owner in identity.ownersOfHeldLinks() {
                for held in HeldLink.all(of: owner, identity.classMap) where held.isHeld {
                    if identity.reportsLostEdits, held.isEdited {
                        identity.reportLostEdits(ColumnSet([held.ordinal]), of: owner)
                    }
                    _ = held.empty(leaving: .unloaded)
                }
            }
        }
    }
}
