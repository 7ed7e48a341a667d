internal import StoreEngine

// The life of a baseline: it is made, brought to what the object has, and destroyed.
extension BaselineLayout {
    /// Makes a baseline of `object`, which the user can see, in the fresh memory of `block`.
    func capture(_ object: Address, to block: Address) {
        if hasSharedBuffers { checkSharedBuffers(of: object) }
        captureNew(object, to: block)
    }

    /// Makes a baseline of an object that nobody else can see yet.
    @inline(__always)
    func captureNew(_ object: Address, to block: Address) {
        for span in spans {
            (block + span.blockOffset).copyMemory(from: object + span.objectOffset, byteCount: span.count)
        }
        for place in owningSlots {
            let slot = slots[place]
            let source = object + slot.objectOffset
            let copy = block + slot.blockOffset
            switch slot.kind {
            case .string:
                copy.initialize(as: String.self, to: source[as: String.self])
            case .optionalString:
                copy.initialize(as: String?.self, to: source[as: String?.self])
            default: slot.codec.copy(source, to: copy)
            }
        }
        for place in comparedSlots {
            let slot = slots[place]
            // Most references of a new object are nil.
            if slot.content == .reference, slot.boxOffset < 0,
                (object + slot.objectOffset).load(as: Address?.self) == nil
            {
                (block + slot.blockOffset).storeBytes(of: LinkImage.none, as: Int64.self)
                continue
            }
            create(slot, of: slot.address(in: object), at: block + slot.blockOffset)
        }
    }

    /// Makes what the fresh memory `kept` has of a value that no span has.
    private func create(_ slot: Slot, of field: Address, at kept: Address) {
        switch slot.content {
        case .value: slot.codec.copy(field, to: kept)
        case .encoding: kept.initialize(as: DatabaseValue?.self, to: try? slot.codec.encode(field))
        case .reference: kept.storeBytes(of: slot.reference.object(field)?.linkID ?? LinkImage.none, as: Int64.self)
        case .weakReference:
            let object = slot.reference.object(field)
            kept.storeBytes(of: object?.linkID ?? LinkImage.none, as: Int64.self)
            WeakMemory.create(object, at: kept + 8)
        case .links: kept.initialize(as: LinkImage.self, to: slot.links.image(field))
        }
    }

    /// Brings the baseline of some properties to what the object has.
    func recapture(_ columns: ColumnSet, of object: Address, in block: Address) {
        columns.forEach { place in
            let slot = slots[place]
            let source = slot.address(in: object)
            if slot.hasSharedBuffer { slot.checkNotBeingModified(source) }
            setBaseline(of: slot, to: source, in: block)
            if let box = slot.box(in: object) { box.state = .loaded }
        }
    }

    /// Ends a baseline; its memory may be used for another.
    func destroy(_ block: Address) {
        for place in owningSlots {
            let slot = slots[place]
            let memory = block + slot.blockOffset
            switch slot.kind {
            case .string: _ = memory.move(as: String.self)
            case .optionalString: _ = memory.move(as: String?.self)
            default: slot.codec.destroy(memory)
            }
        }
        for place in comparedSlots {
            let slot = slots[place]
            let kept = block + slot.blockOffset
            switch slot.content {
            case .value: slot.codec.destroy(kept)
            case .encoding: encoded(block, slot).destroy(as: DatabaseValue?.self)
            case .reference: break
            case .weakReference: WeakMemory.destroy(kept + 8)
            case .links: kept.destroy(as: LinkImage.self)
            }
        }
    }

    /// Replaces the baseline's value of one property by the one at `value`.
    func setBaseline(of slot: Slot, to value: Address, in block: Address) {
        let kept = block + slot.blockOffset
        switch slot.kind {
        case .int, .int64, .double, .bool, .date, .optionalInt, .optionalDouble, .optionalDate:
            kept.copyMemory(from: value, byteCount: slot.size)
        case .string:
            kept[as: String.self] = value[as: String.self]
        case .optionalString, .other, .reference, .link:
            switch slot.content {
            case .value: slot.codec.assign(value, to: kept)
            case .encoding: encoded(block, slot)[as: DatabaseValue?.self] = try? slot.codec.encode(value)
            case .reference, .weakReference, .links:
                setImage(slot.links.image(value), of: slot, in: block)
                if slot.content == .weakReference { WeakMemory.assign(slot.reference.object(value), to: kept + 8) }
            }
        }
    }

    /// Stops where the user is writing a value that is copied or compared now.
    func checkSharedBuffers(of object: Address) {
        for slot in slots where slot.hasSharedBuffer { slot.checkNotBeingModified(object + slot.objectOffset) }
    }
}
