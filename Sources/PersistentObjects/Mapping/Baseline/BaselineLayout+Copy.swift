internal import StoreEngine

// A baseline is copied, and brought back to the copy.
extension BaselineLayout {
    /// Makes a copy of a baseline in fresh memory.
    func copy(_ block: UnsafeMutableRawPointer, to fresh: UnsafeMutableRawPointer) {
        for span in spans {
            (fresh + span.blockOffset).copyMemory(from: block + span.blockOffset, byteCount: span.count)
        }
        for place in owningSlots {
            slots[place].codec.copy(block + slots[place].blockOffset, to: fresh + slots[place].blockOffset)
        }
        for place in comparedSlots {
            let slot = slots[place]
            let (source, target) = (block + slot.blockOffset, fresh + slot.blockOffset)
            switch slot.content {
            case .value: slot.codec.copy(source, to: target)
            case .encoding: target.initializeMemory(as: DatabaseValue?.self, to: encoded(block, slot).pointee)
            case .reference: target.copyMemory(from: source, byteCount: slot.size)
            case .weakReference:
                target.storeBytes(of: keptID(slot, block), as: Int64.self)
                WeakMemory.create(WeakMemory.load(source + 8), at: target + 8)
            case .links: target.initializeMemory(as: LinkImage.self, to: image(place, in: block))
            }
        }
    }

    /// Brings what one baseline has of a property to what another has.
    func assign(_ place: Int, from other: UnsafeMutableRawPointer, to block: UnsafeMutableRawPointer) {
        let slot = slots[place]
        let source = other + slot.blockOffset
        switch slot.content {
        case .value: slot.codec.assign(source, to: block + slot.blockOffset)
        case .encoding: encoded(block, slot).pointee = encoded(other, slot).pointee
        case .reference, .links: setImage(image(place, in: other), of: slot, in: block)
        case .weakReference:
            setImage(image(place, in: other), of: slot, in: block)
            WeakMemory.assign(WeakMemory.load(source + 8), to: block + slot.blockOffset + 8)
        }
    }
}
