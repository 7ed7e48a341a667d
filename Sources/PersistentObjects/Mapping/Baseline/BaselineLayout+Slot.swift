internal import StoreEngine

// A baseline's content for one property, and its location.
extension BaselineLayout {
    /// One property; plain data, so that a loop over slots retains nothing.
    struct Slot: @unchecked Sendable {  // immutable
        let objectOffset: Int
        /// The offset of the value's box in the object, in which case `objectOffset` is relative to the box; -1 if
        /// there is none.
        let boxOffset: Int
        let blockOffset: Int
        let size: Int
        let kind: PropertyCodec.Kind
        /// Retained by the class map, which lives as long as the process.
        fileprivate let borrowed: Borrowed<PropertyCodec>
        var codec: PropertyCodec { borrowed.object }
        let content: Content
        /// Whether the value has a buffer that the user may be writing at this moment.
        let hasSharedBuffer: Bool
        /// For a field of an embedded value, its offset in the stored property that contains it.
        let partOffset: Int
    }

    /// The block's content for a property.
    enum Content: UInt8 {
        case value
        /// The value's encoding, `DatabaseValue?`.
        case encoding
        /// The id of a reference's object, `Int64`.
        case reference
        /// The same, and a separate weak reference in the block.
        case weakReference
        /// The ids of many objects, `LinkImage`.
        case links
    }
}

extension BaselineLayout.Slot {
    init(_ property: Property, _ content: BaselineLayout.Content, at block: Int) {
        let codec = property.codec
        let size =
            switch content {
            case .value: codec.facts.size
            case .encoding: MemoryLayout<DatabaseValue?>.stride
            case .reference: MemoryLayout<Int64>.size
            case .weakReference: 2 * MemoryLayout<Int64>.size
            case .links: MemoryLayout<LinkImage>.stride
            }
        let isShared =
            switch content {
            case .value: !codec.facts.isPlainData && !Self.isImmutableBuffer(codec.valueType)
            case .encoding, .links: true
            case .reference, .weakReference: false
            }
        self.init(
            objectOffset: property.offset, boxOffset: property.boxOffset ?? -1, blockOffset: block, size: size,
            kind: content == .value ? codec.kind : .other, borrowed: Borrowed(codec), content: content,
            hasSharedBuffer: isShared && property.boxOffset == nil, partOffset: property.partOffset)
    }

    /// Types whose buffers cannot be written in place while they are shared.
    private static func isImmutableBuffer(_ type: Any.Type) -> Bool {
        type == String.self || type == String?.self
    }

    /// The address of the value of the object at `start`.
    @inline(__always)
    func address(in start: Address) -> Address {
        boxOffset < 0 ? start + objectOffset : ObjectMemory.boxAddress(at: start + boxOffset) + objectOffset
    }

    /// Traps if the user is writing the property, whose value is at `field`. (An access to a field of a structure is an
    /// access to the stored property that contains it.)
    @inline(__always)
    func checkNotBeingModified(_ field: Address) { ObjectMemory.checkNotBeingModified(field + -partOffset) }

    /// Traps if the user is accessing the property in any way.
    @inline(__always)
    func checkNotBeingAccessed(_ field: Address) { ObjectMemory.checkNotBeingAccessed(field + -partOffset) }

    @inline(__always)
    func box(in start: Address) -> LinkBox? {
        boxOffset < 0 ? nil : ObjectMemory.box(at: start + boxOffset)
    }

    /// Whether a value of one or two words has equal bits at both addresses, which is a fast check. False is
    /// inconclusive.
    @inline(__always)
    func hasSameWords(_ one: Address, _ other: Address) -> Bool {
        guard size == 8 || size == 16 else { return false }
        let end = size - 8
        return one.load(as: UInt64.self) == other.load(as: UInt64.self)
            && (one + end).load(as: UInt64.self) == (other + end).load(as: UInt64.self)
    }

    /// Whether its content is the ids of the value's objects.
    var holdsObjects: Bool {
        switch content {
        case .reference, .weakReference, .links: true
        case .value, .encoding: false
        }
    }

    /// Whether it is a strong reference in the object itself.
    var isBareReference: Bool { content == .reference && boxOffset < 0 }

    /// The codec of a slot whose content is a reference.
    var reference: ReferenceCodec { ObjectMemory.exactly(codec, as: ReferenceCodec.self) }

    /// The codec of a slot whose content is ids.
    var links: any LinkCodec {
        guard let links = codec as? any LinkCodec else { preconditionFailure("Only link codecs have ids as content") }
        return links
    }
}

extension BaselineLayout.Content {
    init(_ property: Property) {
        if let reference = property.codec as? ReferenceCodec {
            self = reference.isWeak ? .weakReference : .reference
        } else if property.isLink {
            self = .links
        } else {
            // The memory of a field of an optional value is the whole value, which must not be duplicated for each
            // field.
            let isWhole = property.part.map { $0.presence != .always } ?? false
            self = property.codec.facts.isPlainValue && !isWhole ? .value : .encoding
        }
    }
}
