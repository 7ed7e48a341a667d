/// Elements whose number never changes, for hot loops: who loops over an array retains it.
///
/// Whoever makes one keeps it for as long as anybody has it, and gives it back by `deallocate()`.
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
