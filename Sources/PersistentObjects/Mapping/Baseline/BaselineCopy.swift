/// What the row of an object held at one moment, as far as its session knew: with `FieldCopy`, which has values, the
/// memory of transactions, of edits that wait, and of conflict checks.
final class BaselineCopy {
    private let layout: BaselineLayout
    private let block: Address

    init(of block: Address, _ map: ClassMap) {
        layout = map.baseline
        self.block = .allocate(byteCount: layout.blockSize)
        layout.copy(block, to: self.block)
    }

    deinit {
        layout.destroy(block)
        block.deallocate()
    }

    /// Whether a baseline says the same of a property.
    func isSame(_ place: Int, as other: Address) -> Bool { layout.isSame(place, block, other) }

    /// Has a baseline say the same of a property as then.
    func assign(_ place: Int, to other: Address) { layout.assign(place, from: block, to: other) }

    /// Makes a baseline of it, in fresh memory.
    func copy(to fresh: Address) { layout.copy(block, to: fresh) }

    /// What the row held of a property, in a box; nil for nil.
    func value(_ place: Int) -> (any Sendable)? { layout.baselineValue(place, in: block) }
}
