internal import StoreEngine

// The life cycle of a baseline: it is created, updated to the object's values, and destroyed.
extension BaselineLayout {
    /// Creates a baseline of `object`, which is visible to the user, in the fresh memory of `block`.
    func capture(_ object: Address, to block: Address) {
        if hasSharedBuffers { checkSharedBuffers(of: object) }
        captureNew(object, to: block)
    }

    /// Creates a baseline of an object that no other code can see yet.
    @inline(__always)
    func captureNew(_ object: Address, to block: Address) {
        for span in spans {
            (block + span.blockOffset).copyMemory(from: object + span.objectOffset, byteCount: span.count)
        }
        for ordinal in owningSlots {
            let slot = slots[ordinal]
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
        for ordinal in comparedSlots {
            let slot = slots[ordinal]
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

    /// Initializes the fresh memory `kept` for a value that is not in a span.
    private func create(_ slot: Slot, of field: Address, at kept: Address) {
        switch slot.content {
        case .value: slot.codec.copy(field, to: kept)
        case .encoding: kept.initialize(as: DatabaseValue?.self, to: try? slot.codec.encode(field))
        case .reference: keepID(of: slot, field, at: kept)
        case .weakReference:
            let object = slot.reference.object(field)
            kept.storeBytes(of: object?.linkID ?? LinkImage.none, as: Int64.self)
            WeakMemory.create(object, at: kept + 8)
        case .links: kept.initialize(as: LinkImage.self, to: slot.links.image(field))
        }
    }

    @inline(__always)
    private func keepID(of slot: Slot, _ field: Address, at kept: Address) {
        kept.storeBytes(of: slot.reference.object(field)?.linkID ?? LinkImage.none, as: Int64.self)
    }

    /// Updates the baseline of some properties to the object's values.
    func recapture(_ columns: ColumnSet, of object: Address, in block: Address) {
        columns.forEach { ordinal in
            let slot = slots[ordinal]
            let source = slot.address(in: object)
            if slot.hasSharedBuffer { slot.checkNotBeingModified(source) }
            setBaseline(of: slot, to: source, in: block)
            if let box = slot.box(in: object) { box.state = .loaded }
        }
    }

    /// Destroys a baseline; its memory may be reused.
    func destroy(_ block: Address) {
        for ordinal in owningSlots {
            let slot = slots[ordinal]
            let memory = block + slot.blockOffset
            switch slot.kind {
            case .string: _ = memory.move(as: String.self)
            case .optionalString: _ = memory.move(as: String?.self)
            default: slot.codec.destroy(memory)
            }
        }
        for ordinal in comparedSlots {
            let slot = slots[ordinal]
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

    /// Replaces the baseline's value of one property with the value at `value`.
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
            case .reference: keepID(of: slot, value, at: kept)
            case .weakReference, .links:
                setImage(slot.links.image(value), of: slot, in: block)
                if slot.content == .weakReference { WeakMemory.assign(slot.reference.object(value), to: kept + 8) }
            }
        }
    }

    /// Traps if the user is writing a value that is about to be copied or compared.
    func checkSharedBuffers(of object: Address) {
        for slot in slots where slot.hasSharedBuffer { slot.checkNotBeingModified(object + slot.objectOffset) }
    }
}
