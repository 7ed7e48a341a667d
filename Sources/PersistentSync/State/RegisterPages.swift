/// The packed registers of objects by index, those of 16 objects in one array, because an array for each object would
/// take a third more memory.
struct RegisterPages: Sendable {
    private static var size: Int { 16 }
    /// A page begins with the ends of its parts, two bytes each.
    private static var head: Int { size * 2 }

    private var pages: [[UInt8]] = []
    private(set) var count = 0

    private static func end(of part: Int, in page: [UInt8]) -> Int {
        head + Int(page[part * 2]) + Int(page[part * 2 + 1]) << 8
    }

    private static func bounds(of part: Int, in page: [UInt8]) -> Range<Int> {
        (part == 0 ? head : end(of: part - 1, in: page))..<end(of: part, in: page)
    }

    private static func setEnd(_ end: Int, of part: Int, in page: inout [UInt8]) {
        let size = end - head
        (page[part * 2], page[part * 2 + 1]) = (UInt8(size & 0xFF), UInt8(size >> 8))
    }

    /// At most `RegisterBytes.most` bytes. They keep their whole page in memory.
    subscript(index: Int) -> ArraySlice<UInt8> {
        get {
            let (page, part) = index.quotientAndRemainder(dividingBy: Self.size)
            return pages[page][Self.bounds(of: part, in: pages[page])]
        }
        set {
            let (page, part) = index.quotientAndRemainder(dividingBy: Self.size)
            let bounds = Self.bounds(of: part, in: pages[page])
            guard pages[page][bounds] != newValue else { return }
            let growth = newValue.count - bounds.count
            pages[page].replaceSubrange(bounds, with: newValue)
            guard growth != 0 else { return }
            let used = page == pages.count - 1 ? count - page * Self.size : Self.size
            for other in part..<used {
                Self.setEnd(Self.end(of: other, in: pages[page]) + growth, of: other, in: &pages[page])
            }
            if growth > 0, used == Self.size { pages[page] = Self.exact(pages[page]) }
        }
    }

    mutating func append(_ bytes: ArraySlice<UInt8>) {
        let (page, part) = count.quotientAndRemainder(dividingBy: Self.size)
        if part == 0 { pages.append([UInt8](repeating: 0, count: Self.head)) }
        pages[page] += bytes
        Self.setEnd(pages[page].count, of: part, in: &pages[page])
        count += 1
        if part == Self.size - 1 { pages[page] = Self.exact(pages[page]) }
    }

    mutating func removeLast() {
        let (page, part) = (count - 1).quotientAndRemainder(dividingBy: Self.size)
        if part == 0 {
            pages.removeLast()
        } else {
            pages[page].removeSubrange(Self.bounds(of: part, in: pages[page]))
        }
        count -= 1
    }

    /// The same bytes with no more capacity than needed.
    private static func exact(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: bytes.count) { buffer, count in
            (_, count) = buffer.initialize(from: bytes)
        }
    }
}
