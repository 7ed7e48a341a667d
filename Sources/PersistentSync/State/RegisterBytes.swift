/// The bytes of registers: of each, a byte for the kind of the value and for whether the clock has the same device as the
/// one before it, the difference of the times, the device if it is another one, and the value.
enum RegisterBytes {
    /// The kinds of values.
    enum Kind: UInt8 {
        case null, integer, real, text, bytes, decimal, object, blob
    }

    static let sameDevice: UInt8 = 8
    /// Registers with more bytes are not packed.
    static let most = 1024
}

/// Writes registers one after the other.
struct RegisterWriter {
    private var output: [UInt8] = []
    private var clock = Clock.none

    /// Nil if a value is large.
    static func bytes(of registers: [Register<SyncValue>]) -> [UInt8]? {
        var writer = RegisterWriter()
        writer.output.reserveCapacity(256)
        for register in registers {
            guard writer.write(register), writer.output.count <= RegisterBytes.most else { return nil }
        }
        let output = writer.output
        // With no more capacity than needed.
        return [UInt8](unsafeUninitializedCapacity: output.count) { buffer, count in
            (_, count) = buffer.initialize(from: output)
        }
    }

    private mutating func write(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            output.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        output.append(UInt8(truncatingIfNeeded: rest))
    }

    private mutating func write(signed number: Int64) { write(UInt64(bitPattern: number << 1 ^ number >> 63)) }

    private mutating func write(fixed number: UInt64) {
        for shift in stride(from: 0, to: 64, by: 8) { output.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }

    private mutating func write(_ bytes: [UInt8]) -> Bool {
        guard bytes.count <= RegisterBytes.most else { return false }
        write(UInt64(bytes.count))
        output += bytes
        return true
    }

    /// Writes a register; returns false if it is large.
    private mutating func write(_ register: Register<SyncValue>) -> Bool {
        let isSame = register.clock.device == clock.device
        let kind: RegisterBytes.Kind =
            switch register.value {
            case .null: .null
            case .integer: .integer
            case .real: .real
            case .text: .text
            case .bytes: .bytes
            case .decimal: .decimal
            case .object: .object
            case .blob: .blob
            }
        output.append(kind.rawValue | (isSame ? RegisterBytes.sameDevice : 0))
        write(signed: Int64(bitPattern: register.clock.time &- clock.time))
        if !isSame {
            let (high, low) = register.clock.device.number.halves
            write(fixed: high)
            write(fixed: low)
        }
        clock = register.clock
        switch register.value {
        case .null: return true
        case .integer(let number):
            write(signed: number)
            return true
        case .real(let number):
            write(fixed: number.bitPattern)
            return true
        case .text(let text), .decimal(let text): return write(text.utf8)
        case .bytes(let bytes): return write(bytes)
        case .object(let key):
            guard write(key.type.utf8) else { return false }
            switch key.key {
            case .number(let high, let low):
                output.append(0)
                write(fixed: high)
                write(fixed: low)
                return true
            case .text(let text):
                output.append(1)
                return write(text.utf8)
            }
        case .blob(let hash, let size):
            write(signed: size)
            return write(hash)
        }
    }
}

/// Reads what a `RegisterWriter` wrote.
struct RegisterReader {
    private let input: ArraySlice<UInt8>
    private var position: Int
    private var clock = Clock.none

    init(_ input: ArraySlice<UInt8>) { (self.input, position) = (input, input.startIndex) }

    private mutating func readByte() -> UInt8 {
        defer { position += 1 }
        return input[position]
    }

    private mutating func readNumber() -> UInt64 {
        var (number, shift): (UInt64, UInt64) = (0, 0)
        while true {
            let byte = readByte()
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return number }
            shift += 7
        }
    }

    private mutating func readSigned() -> Int64 {
        let number = readNumber()
        return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
    }

    private mutating func readFixed() -> UInt64 {
        var number: UInt64 = 0
        for shift in stride(from: 0, to: 64, by: 8) { number |= UInt64(readByte()) << UInt64(shift) }
        return number
    }

    private mutating func readBytes() -> [UInt8] {
        let count = Int(readNumber())
        defer { position += count }
        return Array(input[position..<position + count])
    }

    private mutating func skipBytes() {
        let count = Int(readNumber())
        position += count
    }

    private mutating func readClock() -> RegisterBytes.Kind {
        let head = readByte()
        let time = clock.time &+ UInt64(bitPattern: readSigned())
        var device = clock.device
        if head & RegisterBytes.sameDevice == 0 {
            let high = readFixed()
            device = DeviceID(UInt128(high, readFixed()))
        }
        clock = Clock(time, device)
        return RegisterBytes.Kind(rawValue: head & 7) ?? .null
    }

    mutating func next() -> Register<SyncValue> {
        let kind = readClock()
        return Register(value(kind), clock)
    }

    private mutating func value(_ kind: RegisterBytes.Kind) -> SyncValue {
        switch kind {
        case .null: return .null
        case .integer: return .integer(readSigned())
        case .real: return .real(Double(bitPattern: readFixed()))
        case .text: return .text(Text(utf8: readBytes()))
        case .bytes: return .bytes(readBytes())
        case .decimal: return .decimal(Text(utf8: readBytes()))
        case .object:
            let type = Text(utf8: readBytes())
            guard readByte() == 0 else { return .object(ObjectKey(type, .text(Text(utf8: readBytes())))) }
            let high = readFixed()
            return .object(ObjectKey(type, .number(high: high, low: readFixed())))
        case .blob:
            let size = readSigned()
            return .blob(hash: readBytes(), size: size)
        }
    }

    /// Passes a register over.
    @discardableResult
    mutating func skip() -> (kind: RegisterBytes.Kind, clock: Clock) {
        let kind = readClock()
        switch kind {
        case .null: break
        case .integer: _ = readNumber()
        case .real: position += 8
        case .text, .bytes, .decimal: skipBytes()
        case .object:
            skipBytes()
            if readByte() == 0 { position += 16 } else { skipBytes() }
        case .blob:
            _ = readNumber()
            skipBytes()
        }
        return (kind, clock)
    }
}
