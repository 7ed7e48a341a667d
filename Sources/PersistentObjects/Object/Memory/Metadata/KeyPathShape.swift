/// The components of a key path, as the runtime stores them (KeyPath.swift in the Swift sources).
///
/// The description of a key path does not distinguish a subscript from a computed property. Its components do: a
/// subscript has arguments.
enum KeyPathShape {
    /// Whether a key path contains a subscript, because evaluating it on an invented value may trap.
    static func hasSubscript(_ path: AnyKeyPath) -> Bool {
        guard let genericArguments else { return false }
        return withExtendedLifetime(path) {
            arguments(in: path)?.contains { $0.size > 0 && $0.witnesses != genericArguments } ?? false
        }
    }

    /// The arguments of a computed component: the indices of a subscript, and the types of generic code.
    private struct Arguments {
        let size: Int
        /// The functions that copy and compare them; all components without indices share them.
        let witnesses: UInt
    }

    /// The witnesses of components that have types as arguments, but no indices.
    ///
    /// Nil if key paths are stored in an unknown format.
    private static let genericArguments: UInt? = {
        // A specialized function would have no types as arguments.
        @_semantics("optimize.sil.specialize.generic.never") @inline(never)
        func property<T>(of _: T.Type) -> AnyKeyPath { \Sample<T>.property }
        guard let plain = arguments(in: \Sample<Int>.property), plain.allSatisfy({ $0.size == 0 }),
            let generic = arguments(in: property(of: Int.self)), generic.count == 1, generic[0].size > 0,
            let indexed = arguments(in: \Sample<Int>.list[0]), let last = indexed.last, last.size > 0,
            last.witnesses != generic[0].witnesses
        else { return nil }
        return generic[0].witnesses
    }()

    private struct Sample<T> {
        var list: [Int] = []
        var property: Int { 0 }
    }

    /// The arguments of the components that have arguments; nil if the format is not as expected.
    private static func arguments(in path: AnyKeyPath) -> [Arguments]? {
        guard MemoryLayout<UInt>.size == 8 else { return nil }
        let start = UnsafeRawPointer(Unmanaged.passUnretained(path).toOpaque())
        // The object's header and the string of its offset come first, then the size of the rest, and flags.
        let size = Int(start.load(fromByteOffset: 24, as: UInt32.self) & 0x00FF_FFFF)
        let components = start + 32
        var found: [Arguments] = []
        var place = 0
        func word(_ place: Int) -> UInt? {
            place + 8 <= size ? components.load(fromByteOffset: place, as: UInt.self) : nil
        }
        while place + 4 <= size {
            let header = components.load(fromByteOffset: place, as: UInt32.self)
            place += 4
            switch (header >> 24) & 0x7F {
            case 1, 3:
                // A field whose offset does not fit into the header stores it after the header.
                if header & 0x007F_FFFF == 0x007F_FFFF { place += 4 }
            case 2:
                // An identity, a getter, and perhaps a setter.
                place = aligned(place) + (header & 0x0040_0000 == 0 ? 16 : 24)
                guard header & 0x0008_0000 != 0 else { break }
                guard let bytes = word(place), let witnesses = word(place + 8), bytes & ~(1 << 63) <= UInt(size) else {
                    return nil
                }
                let count = Int(bytes & ~(1 << 63))
                found.append(Arguments(size: count, witnesses: witnesses))
                // A component to which another module passes its arguments includes the size of the arguments it adds.
                place += 16 + (header & 0x10 == 0 ? 0 : 8) + count
            case 4: break
            default: return nil
            }
            if place == size { return found }
            // The type of the component's value.
            place = aligned(place) + 8
        }
        return nil
    }

    private static func aligned(_ place: Int) -> Int { (place + 7) & ~7 }
}
