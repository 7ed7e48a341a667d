internal import StoreEngine

// Copying a baseline, and restoring it from the copy.
extension BaselineLayout {
    /// Creates a copy of a baseline in fresh memory.
    func copy(_ block: Address, to fresh: Address) {
        for span in spans {
            (fresh + span.blockOffset).copyMemory(from: block + span.blockOffset, byteCount: span.count)
        }
        for ordinal in owningSlots {
            slots[ordinal].codec.copy(block + slots[ordinal].blockOffset, to: fresh + slots[ordinal].blockOffset)
        }
        for ordinal in comparedSlots {
            let slot = slots[ordinal]
            let (source, target) = (block + slot.blockOffset, fresh + slot.blockOffset)
            switch slot.content {
            case .value: slot.codec.copy(source, to: target)
            case .encoding:
                target.initialize(as: DatabaseValue?.self, to: encoded(block, slot)[as: DatabaseValue?.self])
            case .reference: target.copyMemory(from: source, byteCount: slot.size)
            case .weakReference:
                target.storeBytes(of: keptID(slot, block), as: Int64.self)
                WeakMemory.create(WeakMemory.load(source + 8), at: target + 8)
            case .links: target.initialize(as: LinkImage.self, to: image(ordinal, in: block))
            }
        }
    }

    /// Copies one property's value from one baseline to another.
    func assign(_ ordinal: Int, from other: Address, to block: Address) {
        let slot = slots[ordinal]
        let source = other + slot.blockOffset
        switch slot.content {
        case .value: slot.codec.assign(source, to: block + slot.blockOffset)
        case .encoding: encoded(block, slot)[as: DatabaseValue?.self] = encoded(other, slot)[as: DatabaseValue?.self]
        case .reference, .links: setImage(image(ordinal, in: other), of: slot, in: block)
        case .weakReference:
            let target = WeakMemory.load(source + 8)
            let isSame = keptID(slot, other) == keptID(slot, block)
            setImage(image(ordinal, in: other), of: slot, in: block)
            // A weak reference to a deallocated object cannot be copied; a reference to the same row is already in the
            // baseline.
            if target != nil || !isSame { WeakMemory.assign(target, to: block + slot.blockOffset + 8) }
        }
    }
}
