import TestSupport
import Testing

@testable import PersistentObjects

/// The layout of a class's baseline: each property has its own aligned slot.
@Suite struct LayoutTests {
    final class Even: PersistentObject {
        var number = 0
        var flag = false
        var link: Even?
        weak var other: Even?
        var links: [Even] = []
        var texts: [String] = []
        @Lazy var later: String?
    }

    final class Odd: PersistentObject {
        var flag = false
        var link: Odd?
        weak var other: Odd?
        var links: [Odd] = []
        var texts: [String: Int] = [:]
        @Lazy var later: Int8 = 0
        var small: Int8 = 0
        var last: Odd?
    }

    final class Alone: PersistentObject { var link: Alone? }

    @Test(arguments: [Even.self, Odd.self, Alone.self] as [PersistentObject.Type])
    func `properties do not overlap, and properties that are not plain values are aligned`(
        _ type: PersistentObject.Type
    ) throws {
        let map = try ClassMap.map(of: type)
        let layout = map.baseline
        let slots = layout.slots.sorted { ($0.blockOffset, $0.size) < ($1.blockOffset, $1.size) }
        #expect(slots.count == map.properties.count)
        for (slot, next) in zip(slots, slots.dropFirst()) { #expect(slot.blockOffset + slot.size <= next.blockOffset) }
        #expect(slots.allSatisfy { $0.blockOffset >= 0 && $0.blockOffset + $0.size <= layout.blockSize })
        #expect(layout.blockSize % 8 == 0)
        for slot in slots where slot.content != .value { #expect(slot.blockOffset % 8 == 0) }
        // Only alignment leaves bytes unused.
        #expect(layout.blockSize <= slots.reduce(0) { $0 + ($1.size + 7) & ~7 } + 8)
    }
}
