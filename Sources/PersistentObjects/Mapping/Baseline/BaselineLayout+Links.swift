// The ids of linked objects in a baseline.
extension BaselineLayout {
    /// The baseline's ids of a link.
    func image(_ ordinal: Int, in block: Address) -> LinkImage { image(slots[ordinal], in: block) }

    func image(_ slot: Slot, in block: Address) -> LinkImage {
        switch slot.content {
        case .value, .encoding: return LinkImage()
        case .reference, .weakReference:
            let id = keptID(slot, block)
            return LinkImage(ids: id == LinkImage.none ? [] : [id])
        case .links: return (block + slot.blockOffset)[as: LinkImage.self]
        }
    }

    /// The baseline's id of a reference; `LinkImage.none` for nil.
    func referenceID(_ ordinal: Int, in block: Address) -> Int64 { keptID(slots[ordinal], block) }

    /// Sets the stored ids of a link, according to a row that was read.
    func setImage(_ image: LinkImage, of ordinal: Int, in block: Address) {
        setImage(image, of: slots[ordinal], in: block)
    }

    func setImage(_ image: LinkImage, of slot: Slot, in block: Address) {
        switch slot.content {
        case .value, .encoding: break
        case .reference, .weakReference:
            (block + slot.blockOffset).storeBytes(of: image.ids.first ?? LinkImage.none, as: Int64.self)
        case .links: (block + slot.blockOffset)[as: LinkImage.self] = image
        }
    }

    /// Sets the stored id of a reference.
    func setReferenceID(_ id: Int64, of ordinal: Int, in block: Address) {
        (block + slots[ordinal].blockOffset).storeBytes(of: id, as: Int64.self)
    }

    func keptID(_ slot: Slot, _ block: Address) -> Int64 {
        (block + slot.blockOffset).load(as: Int64.self)
    }

    /// Records the object's value as the database's; the next read replaces it.
    func makeSame(_ ordinal: Int, _ object: Address, _ block: Address) {
        setBaseline(of: slots[ordinal], to: slots[ordinal].address(in: object), in: block)
    }

    /// Sets the baseline's weak reference, which distinguishes a property that was set to nil from a property whose
    /// object was deallocated.
    func holdWeakly(_ object: PersistentObject, _ ordinal: Int, in block: Address) {
        WeakMemory.assign(object, to: block + slots[ordinal].blockOffset + 8)
    }
}

// Weak references to deallocated objects.
extension BaselineLayout.Slot {
    /// Whether the deallocated object of a weak reference was the row's object.
    func isOfBaseline(endedAt field: Address, _ block: Address) -> Bool {
        WeakMemory.isSame(field, block + blockOffset + 8)
    }

    /// Records that the row's object was deallocated, which is not an edit of the property.
    func makeEnded(_ field: Address, _ block: Address) { WeakMemory.makeEnded(field, block + blockOffset + 8) }
}
