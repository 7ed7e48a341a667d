internal import StoreEngine

// A separate copy of one property's baseline.
extension BaselineLayout {
    /// Copies a baseline's value of a property to fresh memory of `keptSize` bytes.
    @inline(__always)
    func keep(_ slot: Slot, of block: Address, at fresh: Address) {
        let source = block + slot.blockOffset
        switch slot.kind {
        case .int, .int64, .double, .bool, .date, .optionalInt, .optionalDouble, .optionalDate:
            fresh.copyMemory(from: source, byteCount: slot.size)
        case .string: fresh.initialize(as: String.self, to: source[as: String.self])
        case .optionalString, .other, .reference, .link: keepOther(slot, source, at: fresh)
        }
    }

    private func keepOther(_ slot: Slot, _ source: Address, at fresh: Address) {
        switch slot.content {
        case .value: slot.codec.copy(source, to: fresh)
        case .encoding: fresh.initialize(as: DatabaseValue?.self, to: source[as: DatabaseValue?.self])
        // The id is sufficient.
        case .reference, .weakReference: fresh.copyMemory(from: source, byteCount: MemoryLayout<Int64>.size)
        case .links: fresh.initialize(as: LinkImage.self, to: source[as: LinkImage.self])
        }
    }

    /// Destroys the value that `keep` created.
    @inline(__always)
    func forget(_ slot: Slot, at kept: Address) {
        switch slot.kind {
        case .int, .int64, .double, .bool, .date, .optionalInt, .optionalDouble, .optionalDate: break
        case .string: kept.destroy(as: String.self)
        case .optionalString, .other, .reference, .link: forgetOther(slot, at: kept)
        }
    }

    private func forgetOther(_ slot: Slot, at kept: Address) {
        switch slot.content {
        case .value: slot.codec.destroy(kept)
        case .encoding: kept.destroy(as: DatabaseValue?.self)
        case .reference, .weakReference: break
        case .links: kept.destroy(as: LinkImage.self)
        }
    }
}

extension BaselineLayout.Slot {
    /// The memory size for `keep`: a multiple of the largest alignment.
    @inline(__always)
    var keptSize: Int { (Swift.max(size, 1) + 15) & ~15 }
}
