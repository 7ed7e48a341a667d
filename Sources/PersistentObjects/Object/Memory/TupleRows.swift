/// Where the values of a row stand that is a tuple of them.
///
/// As the compiler lays tuples out: each value at the next place that is
/// aligned for it, the bytes at the end of a stride used by what comes behind.
/// A row of one value is that value.
struct TupleLayout {
    private(set) var size = 0

    /// The place of the next value, counted from the row's start.
    mutating func append(_ facts: TypeFacts) -> Int {
        let offset = (size + facts.alignment - 1) & ~(facts.alignment - 1)
        size = offset + facts.size
        return offset
    }
}

/// Rows of values in memory, one behind another, for who makes them without knowing their type.
///
/// Code that is generic over a type and not specialised for it asks the run
/// time for metadata in each turn of a loop; this is told the size of a row
/// once (`TupleRows`).
class RowMemory {
    /// Where the next row is made.
    fileprivate var free: UnsafeMutableRawPointer
    fileprivate var end: UnsafeMutableRawPointer
    private let stride: Int

    fileprivate init(_ start: UnsafeMutableRawPointer, capacity: Int, stride: Int) {
        free = start
        end = start + capacity * stride
        self.stride = stride
    }

    /// Fresh memory for one more row, which is a row as soon as it is kept.
    @inline(__always)
    final func next() -> Address {
        if free == end { grow() }
        return Address(free)
    }

    /// Takes the row that was made in the memory that `next()` gave.
    @inline(__always)
    final func keep() { free += stride }

    fileprivate func grow() {
        // Only `TupleRows` can be made; Swift has no abstract methods.
        fatalError("RowMemory is abstract")
    }
}

/// Rows of one type.
final class TupleRows<Row>: RowMemory {
    private var start: UnsafeMutablePointer<Row>
    private var capacity = 16

    /// - Parameter layout: How those who make the rows have laid them out.
    init(_ layout: TupleLayout) {
        precondition(layout.size == MemoryLayout<Row>.size, "\(Row.self) has another memory layout")
        start = .allocate(capacity: capacity)
        super.init(start, capacity: capacity, stride: MemoryLayout<Row>.stride)
    }

    /// How many rows have been made.
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

    /// The rows; none are left behind.
    func take() -> [Row] {
        let count = count
        guard count > 0 else { return [] }
        free = UnsafeMutableRawPointer(start)
        return Array(unsafeUninitializedCapacity: count) { buffer, initialized in
            // Never nil: there is room for one at least.
            buffer.baseAddress.unsafelyUnwrapped.moveInitialize(from: start, count: count)
            initialized = count
        }
    }

    deinit {
        start.deinitialize(count: count)
        start.deallocate()
    }
}
