/// Arguments in the server's form, contiguous.
struct PostgresMessage {
    /// The start of each value; nil for NULL.
    private(set) var starts: [Int?] = []
    private(set) var lengths: [Int32] = []
    /// 1 for the server's binary form, 0 for text.
    private(set) var formats: [Int32] = []
    private(set) var bytes: [UInt8] = []
    /// Whether the server must send the rows in its text form.
    var asksForText = false

    init(count: Int, capacity: Int) {
        starts.reserveCapacity(count)
        lengths.reserveCapacity(count)
        formats.reserveCapacity(count)
        bytes.reserveCapacity(capacity)
    }

    mutating func appendNull() { append(start: nil, isText: false) }

    mutating func append(_ number: some FixedWidthInteger) {
        append(start: bytes.count, isText: false)
        appendPart(number)
        endValue()
    }

    /// Appends a number; false if it is nil.
    mutating func append(_ number: (some FixedWidthInteger)?) -> Bool {
        guard let number else { return false }
        append(number)
        return true
    }

    mutating func append(text: String) {
        var text = text
        text.withUTF8 { append(bytes: UnsafeRawBufferPointer($0), isText: true) }
    }

    mutating func append(bytes value: [UInt8]) {
        append(start: bytes.count, isText: false)
        bytes.append(contentsOf: value)
        endValue()
    }

    mutating func append(bytes value: UnsafeRawBufferPointer, isText: Bool) {
        append(start: bytes.count, isText: isText)
        bytes.append(contentsOf: value)
        endValue()
        // libpq reads values in text form up to a NUL.
        if isText { bytes.append(0) }
    }

    mutating func beginValue() { append(start: bytes.count, isText: false) }
    mutating func endValue() {
        if let start = starts[starts.count - 1] { lengths[lengths.count - 1] = Int32(clamping: bytes.count - start) }
    }

    mutating func appendPart(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func appendElement(_ number: some FixedWidthInteger) {
        appendPart(Int32(number.bitWidth / 8))
        appendPart(number)
    }

    mutating func appendElement(_ element: [UInt8]) {
        appendPart(Int32(clamping: element.count))
        bytes.append(contentsOf: element)
    }

    private mutating func append(start: Int?, isText: Bool) {
        starts.append(start)
        lengths.append(0)
        formats.append(isText ? 0 : 1)
    }

    /// Calls `body` with libpq's parameters: the address of each value, its length and its form.
    func withPointers<R>(
        _ body: (UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?) -> R
    ) -> R {
        bytes.withUnsafeBytes { base in
            // An empty value also needs an address; otherwise it is NULL.
            let start = base.baseAddress ?? UnsafeRawPointer(bitPattern: 1)
            let pointers = starts.map { place in
                place.flatMap { start?.advanced(by: $0).assumingMemoryBound(to: CChar.self) }
            }
            return pointers.withUnsafeBufferPointer { pointers in
                lengths.withUnsafeBufferPointer { lengths in
                    formats.withUnsafeBufferPointer { body(pointers.baseAddress, lengths.baseAddress, $0.baseAddress) }
                }
            }
        }
    }
}
