// The ids that a baseline has of what a link refers to.
extension BaselineLayout {
    /// The ids that the baseline has of a link.
    func image(_ place: Int, in block: Address) -> LinkImage { image(slots[place], in: block) }

    func image(_ slot: Slot, in block: Address) -> LinkImage {
        switch slot.content {
        case .value, .encoding: return LinkImage()
        case .reference, .weakReference:
            let id = keptID(slot, block)
            return LinkImage(ids: id == LinkImage.none ? [] : [id])
        case .links: return (block + slot.blockOffset)[as: LinkImage.self]
        }
    }

    /// The id that the baseline has of a reference; `LinkImage.none` for nil.
    func referenceID(_ place: Int, in block: Address) -> Int64 { keptID(slots[place], block) }

    /// Sets what the database has of a link, as a row that was read says.
    func setImage(_ image: LinkImage, of place: Int, in block: Address) {
        setImage(image, of: slots[place], in: block)
    }

    func setImage(_ image: LinkImage, of slot: Slot, in block: Address) {
        switch slot.content {
        case .value, .encoding: break
        case .reference, .weakReference:
            (block + slot.blockOffset).storeBytes(of: image.ids.first ?? LinkImage.none, as: Int64.self)
        case .links: (block + slot.blockOffset)[as: LinkImage.self] = image
        }
    }

    /// Sets the id that the database has of a reference.
    func setReferenceID(_ id: Int64, of place: Int, in block: Address) {
        (block + slots[place].blockOffset).storeBytes(of: id, as: Int64.self)
    }

    func keptID(_ slot: Slot, _ block: Address) -> Int64 {
        (block + slot.blockOffset).load(as: Int64.self)
    }

    /// Takes what the object has for what the database has: what is read next replaces it.
    func makeSame(_ place: Int, _ object: Address, _ block: Address) {
        setBaseline(of: slots[place], to: slots[place].address(in: object), in: block)
    }

    /// The baseline's own weak reference, which tells whether a weak reference that reads nil was cleared or has died.
    func holdWeakly(_ object: PersistentObject, _ place: Int, in block: Address) {
        WeakMemory.assign(object, to: block + slots[place].blockOffset + 8)
    }
}

// Weak references to objects that have ended.
extension BaselineLayout.Slot {
    /// Whether a weak reference was to the object of the row, which has ended.
    func isOfBaseline(endedAt field: Address, _ block: Address) -> Bool {
        WeakMemory.isSame(field, block + blockOffset + 8)
    }

    /// The object of the row has ended, which is no edit of the property.
    func makeEnded(_ field: Address, _ block: Address) { WeakMemory.makeEnded(field, block + blockOffset + 8) }
}
