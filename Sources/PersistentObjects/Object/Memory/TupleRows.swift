/// The offsets of the values of a tuple.
///
/// They follow the compiler's tuple layout: each value at the next aligned offset, with the tail padding of a value
/// used by the next value. A row of one value is that value.
struct TupleLayout {
    private(set) var size = 0

    /// The offset of the next value, relative to the row's start.
    mutating func append(_ facts: TypeFacts) -> Int {
        let offset = (size + facts.alignment - 1) & ~(facts.alignment - 1)
        size = offset + facts.size
        return offset
    }
}

/// Contiguous rows of values in memory, for code that creates them without knowing their type.
///
/// Code that is generic over a type and not specialized for it requests metadata from the runtime in each iteration of
/// a loop; this class is given the size of a row once (`TupleRows`).
class RowMemory {
    /// The address of the next row.
    fileprivate var free: UnsafeMutableRawPointer
    fileprivate var end: UnsafeMutableRawPointer
    private let stride: Int

    fileprivate init(_ start: UnsafeMutableRawPointer, capacity: Int, stride: Int) {
        free = start
        end = start + capacity * stride
        self.stride = stride
    }

    /// Fresh memory for one more row, which is added by `keep()`.
    @inline(__always)
    final func next() -> Address {
        if free == end { grow() }
        return Address(free)
    }

    /// Keeps the row that was created in the memory from `next()`.
    @inline(__always)
    final func keep() { free += stride }

    fileprivate func grow() { mustOverride() }
}

/// Rows of one type.
final class TupleRows<Row>: RowMemory {
    private var start: UnsafeMutablePointer<Row>
    private var capacity = 16

    /// - Parameter layout: The layout that the rows were created with.
    init(_ layout: TupleLayout) {
        precondition(layout.size == MemoryLayout<Row>.size, "\(Row.self) has another memory layout")
        start = .allocate(capacity: capacity)
        super.init(start, capacity: capacity, stride: MemoryLayout<Row>.stride)
    }

    /// The number of created rows.
    private var count: Int { (free - UnsafeMutableRawPointer(start)) / MemoryLayout<Row>.stride }

    fileprivate override func grow() {
        let count = count
        let larger = UnsafeMutablePointer<Row>.allocate(capacity: capacity * 2)
        larger.moveInitialize(from: start, count: count)
        start.deallocate()
        (start, capacity) = (larger, capacity * 2)
        free = UnsafeMutableRawPointer(larger + count)
        end = UnsafeMutableRawPointer(larger + capacity)
    }

    /// Moves the rows out.
    func take() -> [Row] {
        let count = count
        guard count > 0 else { return [] }
        free = UnsafeMutableRawPointer(start)
        return Array(unsafeUninitializedCapacity: count) { buffer, initialized in
            // Never nil: the capacity is at least one.
            buffer.baseAddress.unsafelyUnwrapped.moveInitialize(from: start, count: count)
            initialized = count
        }
    }

    deinit {
        start.deinitialize(count: count)
        start.deallocate()
    }
}
