#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

// Finds the properties of an object that differ from its baseline.
extension BaselineLayout {
    /// Whether all properties are compared by their bits alone, so that an object that may be dying can be compared.
    var isComparedByBits: Bool { comparedSlots.isEmpty }

    /// Whether all bits are equal, which is a fast check. If it is false, `changes` must compare the values.
    @inline(__always)
    func hasSameBits(_ object: Address, _ block: Address) -> Bool {
        hasSameSpans(object, block) && (comparedSlots.isEmpty || hasSameLinks(object, block))
    }

    /// The same for an object that may be dying, whose references are all in the object itself. Each reference must be
    /// nil or `hub`, which the caller retains.
    @inline(__always)
    func hasSameBits(_ object: Address, _ block: Address, referringTo hub: Address, _ hubID: Int64) -> Bool {
        guard hasSameSpans(object, block) else { return false }
        for ordinal in comparedSlots {
            let target = (object + slots[ordinal].objectOffset).load(as: Address?.self)
            guard target == nil || target == hub,
                keptID(slots[ordinal], block) == (target == nil ? LinkImage.none : hubID)
            else { return false }
        }
        return true
    }

    @inline(__always)
    private func hasSameSpans(_ object: Address, _ block: Address) -> Bool {
        for span in spans {
            guard (object + span.objectOffset).hasSameWords(as: block + span.blockOffset, count: span.count) else {
                return false
            }
        }
        return true
    }

    /// The same for properties outside spans; it runs no user code and releases nothing.
    @inline(__always)
    private func hasSameLinks(_ object: Address, _ block: Address) -> Bool {
        for ordinal in comparedSlots {
            let slot = slots[ordinal]
            if slot.boxOffset >= 0, ObjectMemory.boxState(at: object + slot.boxOffset).isAway { continue }
            guard slot.content == .reference else { return false }
            guard let target = slot.address(in: object).load(as: Address?.self) else {
                guard keptID(slot, block) == LinkImage.none else { return false }
                continue
            }
            guard target.header.rowID == keptID(slot, block), target.header.lifecycle == .saved else { return false }
        }
        return true
    }

    /// The properties that differ from the baseline. Runs user code only if a property is encoded.
    @inline(__always)
    func changes(_ object: Address, _ block: Address) -> ColumnSet {
        if hasSharedBuffers { checkSharedBuffers(of: object) }
        if hasSameBits(object, block) { return ColumnSet() }
        return comparedChanges(object, block)
    }

    private func comparedChanges(_ object: Address, _ block: Address) -> ColumnSet {
        var changed = ColumnSet()
        for (ordinal, slot) in slots.enumerated() {
            // Almost all properties are numbers or strings, and almost all of them are unchanged.
            if slot.content == .value, slot.boxOffset < 0,
                slot.hasSameWords(object + slot.objectOffset, block + slot.blockOffset)
            {
                continue
            }
            if !isSame(slot, object, block) {
                changed.insert(ordinal)
            } else if slot.content == .value, slot.boxOffset < 0 {
                // The equal values are in two buffers. They share one buffer from now on, so that the next comparison
                // compares bits.
                setBaseline(of: slot, to: object + slot.objectOffset, in: block)
            }
        }
        return changed
    }

    /// Whether one property equals its baseline.
    func isSame(_ slot: Slot, _ object: Address, _ block: Address) -> Bool {
        if let box = slot.box(in: object) {
            switch box.state {
            case .unloaded, .released: return true
            case .assigned: return false
            case .loaded: break
            }
        }
        let field = slot.address(in: object)
        let kept = block + slot.blockOffset
        switch slot.content {
        case .value: break
        case .encoding:
            guard let now = try? slot.codec.encode(field), let then = encoded(block, slot)[as: DatabaseValue?.self]
            else { return false }
            return now == then
        case .reference:
            let id = keptID(slot, block)
            guard let target = slot.reference.object(field) else { return id == LinkImage.none }
            return id != LinkImage.none && target.rowIDOrNone == id
        case .weakReference:
            if let object = slot.reference.object(field) {
                return keptID(slot, block) != LinkImage.none && object.rowIDOrNone == keptID(slot, block)
            }
            // Deallocation of the row's object is not an edit. If another object was deallocated, the user assigned it.
            if WeakMemory.hasEnded(field) { return slot.isOfBaseline(endedAt: field, block) }
            if keptID(slot, block) == LinkImage.none { return true }
            return !WeakMemory.detectsEnds && WeakMemory.load(kept + 8) == nil
        case .links: return slot.links.isSame(field, as: kept[as: LinkImage.self])
        }
        switch slot.kind {
        case .int, .int64, .double, .bool, .date: return field.hasSameBytes(as: kept, count: slot.size)
        case .string:
            return field.hasSameBytes(as: kept, count: MemoryLayout<String>.size)
                || String.isSame(
                    field[as: String.self],
                    kept[as: String.self])
        default: return field.hasSameBytes(as: kept, count: slot.size) || slot.codec.isSame(field, kept)
        }
    }
}
