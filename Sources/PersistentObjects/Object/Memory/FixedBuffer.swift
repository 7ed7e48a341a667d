/// A fixed number of elements for hot loops, because a loop over an array retains the array.
///
/// The owner keeps it alive as long as it is used, and frees it with `deallocate()`.
struct FixedBuffer<Element>: RandomAccessCollection, @unchecked Sendable {  // never changed
    private let buffer: UnsafeMutableBufferPointer<Element>

    init(_ elements: [Element]) {
        buffer = .allocate(capacity: elements.count)
        _ = buffer.initialize(from: elements)
    }

    func deallocate() {
        buffer.deinitialize()
        buffer.deallocate()
    }

    @inline(__always)
    var startIndex: Int { 0 }
    @inline(__always)
    var endIndex: Int { buffer.count }

    @inline(__always)
    subscript(place: Int) -> Element { buffer[place] }
}
